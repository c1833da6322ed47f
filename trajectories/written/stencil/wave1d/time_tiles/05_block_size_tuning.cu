// Wave equation, sixteen time steps per launch in blocks of 512: half the traffic at the same share of halo.
#include <cuda_runtime.h>

#include <utility>

constexpr int kThreads = 512;
constexpr int kFused = 16;                     // time steps per launch, and points of halo on each side
constexpr int kKept = kThreads - 2 * kFused;   // points that are still right after kFused steps

struct State {
    float* u;
    float* previous;
};

// kFull: exactly kFused steps, a bound that the compiler can unroll; otherwise the first `steps` of them.
template <bool kFull>
__global__ void advance(int n, int steps, float courant2, State from, State to) {
    __shared__ float tile[2][kThreads];
    int t = threadIdx.x;
    long long i = (long long)blockIdx.x * kKept - kFused + t;
    bool in_string = i >= 0 && i < n;
    float now = in_string ? from.u[i] : 0.0f;
    float before = in_string ? from.previous[i] : 0.0f;
    bool moves = i > 0 && i < n - 1 && t > 0 && t < kThreads - 1;

    // A point near the tile's edge goes stale one step after its outer neighbour; stale points are never stored.
#pragma unroll
    for (int step = 0; step < kFused; ++step) {
        if (!kFull && step == steps) break;
        float* line = tile[step % 2];  // last read two steps ago, before the previous barrier
        line[t] = now;
        __syncthreads();
        float next = now;
        if (moves) next = 2.0f * now - before + courant2 * (line[t - 1] - 2.0f * now + line[t + 1]);
        before = now;
        now = next;
    }
    if (in_string && t >= kFused && t < kFused + kKept) {
        to.u[i] = now;
        to.previous[i] = before;
    }
}

extern "C" void wave1d(int n, int steps, float courant2, float* u, float* previous) {
    const int blocks = (n - 1) / kKept + 1;
    const size_t bytes = n * sizeof(float);
    float* scratch = nullptr;
    cudaMalloc(&scratch, 2 * bytes);
    State from = {u, previous};
    State to = {scratch, scratch + n};
    for (int done = 0; done < steps; done += kFused) {
        if (steps - done >= kFused)
            advance<true><<<blocks, kThreads>>>(n, kFused, courant2, from, to);
        else
            advance<false><<<blocks, kThreads>>>(n, steps - done, courant2, from, to);
        std::swap(from, to);
    }
    if (from.u != u) {
        cudaMemcpyAsync(u, from.u, bytes, cudaMemcpyDeviceToDevice);
        cudaMemcpyAsync(previous, from.previous, bytes, cudaMemcpyDeviceToDevice);
    }
    cudaFree(scratch);
}
