// Sample quality: powers of two in place of exponentials, and a rescaling only when the maximum grows.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kBlocks = 1056;  // over all runs: eight for each of 132 multiprocessors
constexpr float kLog2e = 1.44269504f;
constexpr int kGroup = 8;
constexpr float kLowest = -1e30f;  // below every log-weight, and its differences stay finite

// Sums of w and w * w relative to exp(top), so that they neither overflow nor vanish.
struct State {
    float top;
    double sum, squares;
};

__device__ State merged(State a, State b) {
    float top = fmaxf(a.top, b.top);
    float x = expf(a.top - top), y = expf(b.top - top);  // one of them is 1
    return {top, a.sum * x + b.sum * y, a.squares * x * x + b.squares * y * y};
}

__device__ void absorb(State& state, const float (&v)[kGroup]) {
    float top = state.top, sum = 0.0f, squares = 0.0f;
#pragma unroll
    for (int j = 0; j < kGroup; ++j) top = fmaxf(top, v[j]);
#pragma unroll
    for (int j = 0; j < kGroup; ++j) {
        float w = exp2f((v[j] - top) * kLog2e);
        sum += w, squares += w * w;
    }
    if (top > state.top) {  // rare once a large one has been seen
        float fade = exp2f((state.top - top) * kLog2e);
        state.sum *= fade, state.squares *= fade * fade, state.top = top;
    }
    state.sum += sum, state.squares += squares;
}

__device__ State block_merged(State state) {
    __shared__ State part[kThreads];
    part[threadIdx.x] = state;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] = merged(part[threadIdx.x], part[threadIdx.x + half]);
        __syncthreads();
    }
    return part[0];
}

__global__ void assess(int n, const float* log_weight, State* states) {
    const float* lw = log_weight + (size_t)blockIdx.y * n;
    State state = {kLowest, 0.0, 0.0};
    // A run that starts on 16 bytes is read in quads; its last elements, or all of another run, follow one by one.
    int quads = reinterpret_cast<uintptr_t>(lw) % 16 == 0 ? n / 4 : 0, step = gridDim.x * kThreads;
    for (int q = blockIdx.x * kThreads + threadIdx.x; q < quads; q += 2 * step) {
        float4 a = __ldcs(reinterpret_cast<const float4*>(lw) + q), b = make_float4(kLowest, kLowest, kLowest, kLowest);
        if (q + step < quads) b = __ldcs(reinterpret_cast<const float4*>(lw) + q + step);
        float v[kGroup] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
        absorb(state, v);
    }
    for (long long i0 = 4ll * quads + blockIdx.x * kThreads + threadIdx.x; i0 < n; i0 += step * kGroup) {
        float v[kGroup];
#pragma unroll
        for (int j = 0; j < kGroup; ++j) v[j] = i0 + j * step < n ? lw[i0 + j * step] : kLowest;  // the filling's weight is 0
        absorb(state, v);
    }
    state = block_merged(state);
    if (threadIdx.x == 0) states[blockIdx.y * gridDim.x + blockIdx.x] = state;
}

__global__ void finish(int n, int slices, const State* states, float* log_mean, float* effective) {
    State state = {kLowest, 0.0, 0.0};
    for (int s = threadIdx.x; s < slices; s += kThreads) state = merged(state, states[blockIdx.x * slices + s]);
    state = block_merged(state);
    if (threadIdx.x == 0) {
        log_mean[blockIdx.x] = (float)(state.top + log(state.sum / n));
        effective[blockIdx.x] = (float)(state.sum * state.sum / state.squares);
    }
}

extern "C" void sample_quality(int runs, int n, const float* log_weight, float* log_mean, float* effective) {
    int slices = (kBlocks + runs - 1) / runs, useful = (n + kThreads - 1) / kThreads;
    if (slices > useful) slices = useful;
    State* states = nullptr;
    cudaMalloc(&states, (size_t)runs * slices * sizeof(State));
    assess<<<dim3(slices, runs), kThreads>>>(n, log_weight, states);
    finish<<<runs, kThreads>>>(n, slices, states, log_mean, effective);
    cudaFree(states);
}
