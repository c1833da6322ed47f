// Sample quality: a block for each run in one pass; sums are rescaled whenever a larger log-weight appears.
#include <cuda_runtime.h>

constexpr int kThreads = 1024;
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

__global__ void assess(int n, const float* log_weight, float* log_mean, float* effective) {
    const float* lw = log_weight + (size_t)blockIdx.x * n;
    State state = {kLowest, 0.0, 0.0};
    for (int i = threadIdx.x; i < n; i += kThreads) state = merged(state, {lw[i], 1.0, 1.0});
    state = block_merged(state);
    if (threadIdx.x == 0) {
        log_mean[blockIdx.x] = (float)(state.top + log(state.sum / n));
        effective[blockIdx.x] = (float)(state.sum * state.sum / state.squares);
    }
}

extern "C" void sample_quality(int runs, int n, const float* log_weight, float* log_mean, float* effective) {
    assess<<<runs, kThreads>>>(n, log_weight, log_mean, effective);
}
