// Wave equation, eight time steps per launch: a block advances a stretch with a halo of eight points on each side.
#include <cuda_runtime.h>

#include <utility>

constexpr int kThreads = 256;
constexpr int kFused = 8;                      // time steps per launch, and points of halo on each side
constexpr int kKept = kThreads - 2 * kFused;   // points that are still right after kFused steps

struct State {
    float* u;
    float* previous;
};

__global__ void advance(int n, int steps, float courant2, State from, State to) {
    __shared__ float tile[2][kThreads];
    int t = threadIdx.x;
    long long i = (long long)blockIdx.x * kKept - kFused + t;
    bool in_string = i >= 0 && i < n;
    float now = in_string ? from.u[i] : 0.0f;
    float before = in_string ? from.previous[i] : 0.0f;
    bool moves = i > 0 && i < n - 1 && t > 0 && t < kThreads - 1;

    // A point near the tile's edge goes stale one step after its outer neighbour; stale points are never stored.
    for (int step = 0; step < steps; ++step) {
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
        int now = steps - done < kFused ? steps - done : kFused;
        advance<<<blocks, kThreads>>>(n, now, courant2, from, to);
        std::swap(from, to);
    }
    if (from.u != u) {
        cudaMemcpyAsync(u, from.u, bytes, cudaMemcpyDeviceToDevice);
        cudaMemcpyAsync(previous, from.previous, bytes, cudaMemcpyDeviceToDevice);
    }
    cudaFree(scratch);
}
