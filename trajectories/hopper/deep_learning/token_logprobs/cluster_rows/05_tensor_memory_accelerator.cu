// Log-probabilities: a cluster for each row, filled and emptied by bulk copies.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cfloat>
#include <cstdint>

namespace cg = cooperative_groups;

constexpr int kCluster = 8;
constexpr int kResident = 48 * 1024;  // floats of a row that a block keeps: 192 KiB
constexpr int kThreads = 512;
constexpr int kWarps = kThreads / 32;

// The largest value seen so far and the sum of exp(value - top).
struct Partial {
    float top, sum;
};

__device__ Partial merged(Partial a, Partial b) {
    float top = fmaxf(a.top, b.top);
    return {top, a.sum * __expf(a.top - top) + b.sum * __expf(b.top - top)};
}

__device__ void absorb(Partial& p, float value) {
    if (value > p.top) {
        p.sum *= __expf(p.top - value);
        p.top = value;
    }
    p.sum += __expf(value - p.top);
}

// The merge over the block, in every thread.
__device__ Partial block_merged(Partial p) {
    __shared__ Partial of_warp[kWarps];
    for (int offset = 16; offset > 0; offset /= 2) {
        Partial other;
        other.top = __shfl_xor_sync(0xffffffffu, p.top, offset);
        other.sum = __shfl_xor_sync(0xffffffffu, p.sum, offset);
        p = merged(p, other);
    }
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = p;
    __syncthreads();
    Partial all = of_warp[0];
    for (int warp = 1; warp < kWarps; ++warp) all = merged(all, of_warp[warp]);
    return all;
}

constexpr int kChunks = 4;  // parts of a piece, each with a barrier of its own

__device__ unsigned shared_address(const void* pointer) { return (unsigned)__cvta_generic_to_shared(pointer); }

// Bulk copies: addresses and bytes are multiples of 16. The barrier's phase ends when all announced bytes have arrived.
__device__ void barrier_init(uint64_t* barrier) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
}

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

__device__ void bulk_store(void* to, const void* from, unsigned bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(from)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// The merge over the blocks of the cluster, from the block's own `mine` in every thread.
__device__ Partial cluster_merged(Partial mine) {
    __shared__ Partial of_block;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) of_block = mine;
    cluster.sync();
    Partial all = {-FLT_MAX, 0.0f};
    for (int rank = 0; rank < kCluster; ++rank) all = merged(all, *cluster.map_shared_rank(&of_block, rank));
    return all;
}

// Block k of a cluster has the tokens [k * piece, (k + 1) * piece) of its row; the first `resident` of them stay in shared memory.
__global__ void __cluster_dims__(kCluster, 1, 1) __launch_bounds__(kThreads)
    logprobs(int vocab, int piece, int resident, const float* logits, const float* temperature, float* logprob) {
    extern __shared__ __align__(16) float kept[];
    __shared__ uint64_t arrived[kChunks];
    cg::cluster_group cluster = cg::this_cluster();
    int r = blockIdx.x / kCluster, first = (int)cluster.block_rank() * piece;
    int count = max(0, min(piece, vocab - first));
    const float* row = logits + (size_t)r * vocab + first;
    float* out = logprob + (size_t)r * vocab + first;
    float inverse = 1.0f / temperature[r];
    bool aligned = (reinterpret_cast<uintptr_t>(row) | reinterpret_cast<uintptr_t>(out)) % 16 == 0;
    int quads = aligned ? min(count, resident) / 4 : 0, chunk = (quads + kChunks - 1) / kChunks;  // in quads

    if (threadIdx.x == 0) {
        for (int c = 0; c < kChunks; ++c) barrier_init(&arrived[c]);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        for (int c = 0; c < kChunks; ++c) {
            int begin = min(c * chunk, quads), end = min(begin + chunk, quads);
            if (begin < end) bulk_load(kept + 4 * begin, row + 4 * begin, 16u * (end - begin), &arrived[c]);
        }
    }
    __syncthreads();  // the barriers are ready

    Partial p = {-FLT_MAX, 0.0f};  // finite, so that the merge of two empty parts has no inf - inf
    for (int t = 4 * quads + threadIdx.x; t < count; t += kThreads) {
        float z = row[t] * inverse;
        if (t < resident) kept[t] = z;
        absorb(p, z);
    }
    for (int c = 0; c < kChunks; ++c) {
        int begin = min(c * chunk, quads), end = min(begin + chunk, quads);
        if (begin == end) break;
        barrier_wait(&arrived[c], 0);
        for (int q = begin + threadIdx.x; q < end; q += kThreads) {
            float4 v = reinterpret_cast<const float4*>(kept)[q];
            absorb(p, v.x * inverse);
            absorb(p, v.y * inverse);
            absorb(p, v.z * inverse);
            absorb(p, v.w * inverse);
        }
    }
    p = cluster_merged(block_merged(p));
    float normaliser = p.top + logf(p.sum);

    for (int c = 0; c < kChunks; ++c) {
        int begin = min(c * chunk, quads), end = min(begin + chunk, quads);
        if (begin == end) break;
        for (int q = begin + threadIdx.x; q < end; q += kThreads) {
            float4 v = reinterpret_cast<const float4*>(kept)[q];
            v = {v.x * inverse - normaliser, v.y * inverse - normaliser, v.z * inverse - normaliser, v.w * inverse - normaliser};
            reinterpret_cast<float4*>(kept)[q] = v;
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // what was written is visible to the bulk copy
        __syncthreads();
        if (threadIdx.x == 0) bulk_store(out + 4 * begin, kept + 4 * begin, 16u * (end - begin));
    }
    for (int t = 4 * quads + threadIdx.x; t < count; t += kThreads) {
        out[t] = (t < resident ? kept[t] : row[t] * inverse) - normaliser;
    }
    if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    cluster.sync();  // no block may leave while another still reads its partial result
}

extern "C" void token_logprobs(int rows, int vocab, const float* logits, const float* temperature, float* logprob) {
    int piece = ((vocab - 1) / kCluster + 4) / 4 * 4, resident = piece < kResident ? piece : kResident;
    int bytes = resident * (int)sizeof(float);
    cudaFuncSetAttribute(logprobs, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    logprobs<<<rows * kCluster, kThreads, bytes>>>(vocab, piece, resident, logits, temperature, logprob);
}
