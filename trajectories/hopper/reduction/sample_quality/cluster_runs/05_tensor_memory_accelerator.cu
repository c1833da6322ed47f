// Sample quality: a run a cluster, log-weights brought in by a ring of bulk copies.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace cg = cooperative_groups;

constexpr int kCluster = 8;
constexpr int kThreads = 512;
constexpr int kGroup = 4;
constexpr int kStages = 4;
constexpr int kStageQuads = 512;  // 8 KiB, a quad for each thread
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

__device__ unsigned shared_address(const void* pointer) { return (unsigned)__cvta_generic_to_shared(pointer); }

__device__ void barrier_init(uint64_t* barrier) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
}

// A bulk copy: addresses and bytes are multiples of 16. The barrier's phase ends when all announced bytes have arrived.
__device__ void bulk_load(void* to, const void* from, unsigned bytes, uint64_t* barrier) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}

__device__ void barrier_wait(uint64_t* barrier, unsigned parity) {
    unsigned done = 0;
    while (!done) {
        asm volatile(
            "{\n .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n selp.u32 %0, 1, 0, p;\n}"
            : "=r"(done)
            : "r"(shared_address(barrier)), "r"(parity)
            : "memory");
    }
}

// A bulk copy writes by another path than threads read: what they have read is fetched before copies that are ordered after the barrier.
__device__ void reads_before_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

__global__ void __cluster_dims__(kCluster, 1, 1) __launch_bounds__(kThreads)
    assess(int n, const float* log_weight, float* log_mean, float* effective) {
    __shared__ __align__(16) float4 ring[kStages][kStageQuads];
    __shared__ uint64_t arrived[kStages];
    int rank = (int)cg::this_cluster().block_rank();
    const float* lw = log_weight + (size_t)(blockIdx.x / kCluster) * n;
    // The run is up to three single elements, quads that start on 16 bytes, and up to three more single ones.
    int head = min(n, (int)((16 - reinterpret_cast<uintptr_t>(lw) % 16) % 16 / 4)), quads = (n - head) / 4;
    const float4* body = reinterpret_cast<const float4*>(lw + head);
    int chunks = (quads + kStageQuads - 1) / kStageQuads;
    int own = rank < chunks ? (chunks - rank - 1) / kCluster + 1 : 0;  // chunks rank, rank + kCluster, ... are this block's

    auto order = [&](int k) {
        int begin = (rank + k * kCluster) * kStageQuads, size = min(kStageQuads, quads - begin);
        bulk_load(ring[k % kStages], body + begin, 16u * size, &arrived[k % kStages]);
    };
    if (threadIdx.x == 0) {
        for (int s = 0; s < kStages; ++s) barrier_init(&arrived[s]);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        for (int k = 0; k < min(kStages, own); ++k) order(k);
    }
    __syncthreads();  // the barriers are ready

    State state = {kLowest, 0.0, 0.0};
    for (int k = 0; k < own; ++k) {
        barrier_wait(&arrived[k % kStages], k / kStages % 2);
        bool full = (rank + k * kCluster) * kStageQuads + (int)threadIdx.x < quads;
        float4 quad = make_float4(kLowest, kLowest, kLowest, kLowest);
        if (full) quad = ring[k % kStages][threadIdx.x];
        reads_before_copies();
        __syncthreads();  // the place has been read by all
        if (threadIdx.x == 0 && k + kStages < own) order(k + kStages);
        float v[kGroup] = {quad.x, quad.y, quad.z, quad.w};
        if (full) absorb(state, v);
    }
    int single = head + (n - head) % 4;
    if (rank == 0 && (int)threadIdx.x < single) {
        int i = (int)threadIdx.x < head ? (int)threadIdx.x : n - single + (int)threadIdx.x;
        float v[kGroup] = {lw[i], kLowest, kLowest, kLowest};
        absorb(state, v);
    }
    finish(state, n, log_mean, effective);
}

extern "C" void sample_quality(int runs, int n, const float* log_weight, float* log_mean, float* effective) {
    assess<<<runs * kCluster, kThreads>>>(n, log_weight, log_mean, effective);
}
