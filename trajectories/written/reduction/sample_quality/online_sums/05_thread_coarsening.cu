// Sample quality: eight log-weights share one rescaling; inside a group the sums are floats.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kBlocks = 1056;  // over all runs: eight for each of 132 multiprocessors
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
    int step = gridDim.x * kThreads;
    for (long long i0 = blockIdx.x * kThreads + threadIdx.x; i0 < n; i0 += step * kGroup) {
        float v[kGroup], top = kLowest;
#pragma unroll
        for (int j = 0; j < kGroup; ++j) v[j] = i0 + j * step < n ? lw[i0 + j * step] : kLowest;  // the filling's weight is 0
#pragma unroll
        for (int j = 0; j < kGroup; ++j) top = fmaxf(top, v[j]);
        top = fmaxf(top, state.top);
        float sum = 0.0f, squares = 0.0f;
#pragma unroll
        for (int j = 0; j < kGroup; ++j) {
            float w = expf(v[j] - top);
            sum += w, squares += w * w;
        }
        float fade = expf(state.top - top);
        state = {top, state.sum * fade + sum, state.squares * (fade * fade) + squares};
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
