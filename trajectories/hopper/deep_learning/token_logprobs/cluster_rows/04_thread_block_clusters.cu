// Log-probabilities: a cluster of eight blocks keeps a whole row in its shared memories, so that it is read once.
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
    cg::cluster_group cluster = cg::this_cluster();
    int r = blockIdx.x / kCluster, first = (int)cluster.block_rank() * piece;
    int count = max(0, min(piece, vocab - first));
    const float* row = logits + (size_t)r * vocab + first;
    float* out = logprob + (size_t)r * vocab + first;
    float inverse = 1.0f / temperature[r];
    bool aligned = (reinterpret_cast<uintptr_t>(row) | reinterpret_cast<uintptr_t>(out)) % 16 == 0;
    int quads = aligned ? min(count, resident) / 4 : 0;

    Partial p = {-FLT_MAX, 0.0f};  // finite, so that the merge of two empty parts has no inf - inf
    for (int q = threadIdx.x; q < quads; q += kThreads) {
        float4 v = reinterpret_cast<const float4*>(row)[q];
        v = {v.x * inverse, v.y * inverse, v.z * inverse, v.w * inverse};
        reinterpret_cast<float4*>(kept)[q] = v;
        absorb(p, v.x);
        absorb(p, v.y);
        absorb(p, v.z);
        absorb(p, v.w);
    }
    for (int t = 4 * quads + threadIdx.x; t < count; t += kThreads) {
        float z = row[t] * inverse;
        if (t < resident) kept[t] = z;
        absorb(p, z);
    }
    p = cluster_merged(block_merged(p));
    float normaliser = p.top + logf(p.sum);

    // Each thread reads back from shared memory what it wrote itself.
    for (int q = threadIdx.x; q < quads; q += kThreads) {
        float4 z = reinterpret_cast<const float4*>(kept)[q];
        z = {z.x - normaliser, z.y - normaliser, z.z - normaliser, z.w - normaliser};
        reinterpret_cast<float4*>(out)[q] = z;
    }
    for (int t = 4 * quads + threadIdx.x; t < count; t += kThreads) {
        out[t] = (t < resident ? kept[t] : row[t] * inverse) - normaliser;
    }
    cluster.sync();  // no block may leave while another still reads its partial result
}

extern "C" void token_logprobs(int rows, int vocab, const float* logits, const float* temperature, float* logprob) {
    int piece = ((vocab - 1) / kCluster + 4) / 4 * 4, resident = piece < kResident ? piece : kResident;
    int bytes = resident * (int)sizeof(float);
    cudaFuncSetAttribute(logprobs, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    logprobs<<<rows * kCluster, kThreads, bytes>>>(vocab, piece, resident, logits, temperature, logprob);
}
