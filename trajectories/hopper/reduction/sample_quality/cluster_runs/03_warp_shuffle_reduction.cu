// Sample quality: a run a block, states merged by shuffles, four log-weights absorbed at a time.
#include <cuda_runtime.h>

constexpr int kThreads = 512;
constexpr int kGroup = 4;
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
    float top = fmaxf(fmaxf(v[0], v[1]), fmaxf(v[2], v[3])), sum = 0.0f, squares = 0.0f;
    if (top > state.top) {  // rare once a large one has been seen
        float fade = expf(state.top - top);
        state.sum *= fade, state.squares *= fade * fade, state.top = top;
    }
#pragma unroll
    for (int j = 0; j < kGroup; ++j) {
        float w = expf(v[j] - state.top);
        sum += w, squares += w * w;
    }
    state.sum += sum, state.squares += squares;
}

// The merge over the block, in thread 0.
__device__ State block_merged(State state) {
    __shared__ State of_warp[kThreads / 32];
    for (int offset = 16; offset > 0; offset /= 2) {
        State other;
        other.top = __shfl_down_sync(0xffffffffu, state.top, offset);
        other.sum = __shfl_down_sync(0xffffffffu, state.sum, offset);
        other.squares = __shfl_down_sync(0xffffffffu, state.squares, offset);
        state = merged(state, other);
    }
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = state;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < kThreads / 32; ++warp) state = merged(state, of_warp[warp]);
    }
    return state;
}

__global__ void __launch_bounds__(kThreads) assess(int n, const float* log_weight, float* log_mean, float* effective) {
    const float* lw = log_weight + (size_t)blockIdx.x * n;
    State state = {kLowest, 0.0, 0.0};
    for (long long i = threadIdx.x; i < n; i += kThreads * kGroup) {
        float v[kGroup];
#pragma unroll
        for (int j = 0; j < kGroup; ++j) v[j] = i + j * kThreads < n ? lw[i + j * kThreads] : kLowest;  // the filling's weight is 0
        absorb(state, v);
    }
    state = block_merged(state);
    if (threadIdx.x == 0) {
        log_mean[blockIdx.x] = (float)(state.top + log(state.sum / n));
        effective[blockIdx.x] = (float)(state.sum * state.sum / state.squares);
    }
}

extern "C" void sample_quality(int runs, int n, const float* log_weight, float* log_mean, float* effective) {
    assess<<<runs, kThreads>>>(n, log_weight, log_mean, effective);
}
