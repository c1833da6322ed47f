// Sample quality: a run is shared by the eight blocks of a cluster.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kCluster = 8;
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

// Merges what the blocks of the cluster have and writes the run's results. Every thread of the cluster calls it.
__device__ void finish(State state, int n, float* log_mean, float* effective) {
    __shared__ State of_block;
    cg::cluster_group cluster = cg::this_cluster();
    state = block_merged(state);
    if (threadIdx.x == 0) of_block = state;
    cluster.sync();
    if (cluster.thread_rank() == 0) {
        for (int rank = 1; rank < kCluster; ++rank) state = merged(state, *cluster.map_shared_rank(&of_block, rank));
        int run = blockIdx.x / kCluster;
        log_mean[run] = (float)(state.top + log(state.sum / n));
        effective[run] = (float)(state.sum * state.sum / state.squares);
    }
    cluster.sync();  // no block may leave before its state is read
}

__global__ void __cluster_dims__(kCluster, 1, 1) __launch_bounds__(kThreads)
    assess(int n, const float* log_weight, float* log_mean, float* effective) {
    const float* lw = log_weight + (size_t)(blockIdx.x / kCluster) * n;
    constexpr int kStep = kCluster * kThreads;
    State state = {kLowest, 0.0, 0.0};
    for (long long i = cg::this_cluster().thread_rank(); i < n; i += kStep * kGroup) {
        float v[kGroup];
#pragma unroll
        for (int j = 0; j < kGroup; ++j) v[j] = i + j * kStep < n ? lw[i + j * kStep] : kLowest;  // the filling's weight is 0
        absorb(state, v);
    }
    finish(state, n, log_mean, effective);
}

extern "C" void sample_quality(int runs, int n, const float* log_weight, float* log_mean, float* effective) {
    assess<<<runs * kCluster, kThreads>>>(n, log_weight, log_mean, effective);
}
