// Surprisal from hidden states: the clusters' products, with the next slabs of classes on their way by cp.async, swizzled.
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cfloat>
#include <cmath>
#include <cstdint>

namespace cg = cooperative_groups;

constexpr int kCluster = 8;                    // blocks that share the classes of a tile of tokens
constexpr int kGroups = 2;                     // warp groups of a block
constexpr int kThreads = 128 * kGroups;
constexpr int kTokens = 64 * kGroups;          // of a block
constexpr int kClasses = 128;                  // at a time
constexpr int kDepth = 64;                     // inputs of a slab: rows of 128 bytes
constexpr int kPieces = kDepth / 8;            // of 8 inputs, 16 bytes
constexpr int kStages = 3;
constexpr int kTokenSlab = kTokens * kPieces;  // pieces
constexpr int kClassSlab = kClasses * kPieces;

// The largest logit seen so far and the sum of exp(logit - top).
struct Partial {
    float top, sum;
};

__device__ __forceinline__ Partial merged(Partial a, Partial b) {
    float top = fmaxf(a.top, b.top);
    return {top, a.sum * __expf(a.top - top) + b.sum * __expf(b.top - top)};
}

__device__ __forceinline__ unsigned shared_address(const void* pointer) { return (unsigned)__cvta_generic_to_shared(pointer); }

// Where wgmma finds a matrix with rows of 128 bytes and the swizzle of that width (1 in the highest bits): piece p of row r lies in place
// p ^ r % 8 of its row, from a multiple of 1024 bytes on. The next 8 rows lie 1024 bytes further; the other distance is not used: 1.
// 16 inputs on, the matrix begins 32 bytes further. All in units of 16 bytes.
__device__ __forceinline__ uint64_t matrix_at(const void* begin) {
    return (uint64_t)(shared_address(begin) >> 4 & 0x3fff) | 1ull << 16 | (uint64_t)(1024 >> 4) << 32 | 1ull << 62;
}

#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)

// d += a b^T for 64 rows of a and 128 of b, 16 inputs deep: an order to the tensor cores, given by all threads of the warp group together.
__device__ __forceinline__ void multiply(float (&d)[64], uint64_t a, uint64_t b) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
        "%64, %65, 1, 1, 1, 0, 0;"
        : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48)
        : "l"(a), "l"(b));
}

__device__ __forceinline__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void end_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wait_for_products() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
// What this thread wrote to shared memory is visible to the tensor cores, which read it by another way than loads do.
__device__ __forceinline__ void show_to_tensor_cores() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// Orders the copy of Rows rows of kDepth inputs; rows and inputs that are not there become 0. Eight neighbouring threads take one row.
template <int Rows>
__device__ void order(uint4* to, const __half* from, int rows, int left, int dim) {
#pragma unroll
    for (int i = threadIdx.x; i < Rows * kPieces; i += kThreads) {
        int row = i / kPieces, piece = i % kPieces;
        bool there = row < rows && piece * 8 < left;
        __pipeline_memcpy_async(to + row * kPieces + (piece ^ row % 8), there ? from + (size_t)row * dim + piece * 8 : from, 16,
                                there ? 0 : 16);
    }
}

// Takes in what a warp group has: d[4 i + 2 j + k] is row 16 warp + lane / 4 + 8 j, column 8 i + 2 (lane % 4) + k of its 64 x 128. The
// columns are `count` classes and padding; wanted[j] is the column of the row's target, which another thread may have, and of_target[j] its
// logit.
__device__ __forceinline__ void absorb(float (&d)[64], int count, const int (&wanted)[2], Partial (&all)[2], float (&of_target)[2]) {
    int column = 2 * (threadIdx.x % 4);
#pragma unroll
    for (int j = 0; j < 2; ++j) {
        float top = all[j].top, sum = 0.0f;
#pragma unroll
        for (int i = 0; i < 16; ++i) {
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                float& logit = d[4 * i + 2 * j + k];
                if (8 * i + column + k == wanted[j]) of_target[j] = logit;
                if (8 * i + column + k >= count) logit = -INFINITY;  // exp makes 0 of it
                top = fmaxf(top, logit);
            }
        }
#pragma unroll
        for (int i = 0; i < 16; ++i) sum += __expf(d[4 * i + 2 * j] - top) + __expf(d[4 * i + 2 * j + 1] - top);
        all[j] = {top, all[j].sum * __expf(all[j].top - top) + sum};
    }
}

// Merges the four lanes that share a row: all have the result. A logit of the target is with one of them, the others have 0.
__device__ __forceinline__ void merge_lanes(Partial (&all)[2], float (&of_target)[2]) {
#pragma unroll
    for (int j = 0; j < 2; ++j) {
        for (int offset = 1; offset < 4; offset *= 2) {
            float top = __shfl_xor_sync(0xffffffffu, all[j].top, offset), sum = __shfl_xor_sync(0xffffffffu, all[j].sum, offset);
            all[j] = merged(all[j], {top, sum});
            of_target[j] += __shfl_xor_sync(0xffffffffu, of_target[j], offset);
        }
    }
}

// What a block knows of its tokens. The target's logit is 0 in all blocks of the cluster but one.
struct Known {
    Partial all;
    float of_target;
};

// Writes the surprisals of a cluster's tokens. Each block merges an equal share of the rows over all blocks.
__device__ void finish(const Known* known, int token, int tokens, float* surprisal) {
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();  // all blocks have written what they know
    constexpr int kShare = kTokens / kCluster;
    int row = (int)cluster.block_rank() * kShare + threadIdx.x;
    if (threadIdx.x < kShare && token + row < tokens) {
        Partial all = {-FLT_MAX, 0.0f};
        float of_target = 0.0f;
        for (int rank = 0; rank < kCluster; ++rank) {
            const Known* other = cluster.map_shared_rank(known + row, rank);
            all = merged(all, other->all);
            of_target += other->of_target;
        }
        surprisal[token + row] = all.top + logf(all.sum) - of_target;
    }
    cluster.sync();  // no block may leave while another still reads from it
}

__global__ void __cluster_dims__(kCluster, 1, 1) __launch_bounds__(kThreads, 2)
    surprise(int tokens, int dim, int classes, const __half* x, const __half* weight, const int* target, float* surprisal) {
    extern __shared__ __align__(1024) uint4 memory[];
    __shared__ Known known[kTokens];
    int token = blockIdx.x / kCluster * kTokens, rank = blockIdx.x % kCluster, slabs = (dim + kDepth - 1) / kDepth;
    uint4* a = memory + (1024 - shared_address(memory) % 1024) % 1024 / 16;  // all slabs of the tokens
    uint4* ring = a + slabs * kTokenSlab;
    int tiles = (classes + kClasses - 1) / kClasses, own = (tiles - rank + kCluster - 1) / kCluster, jobs = own * slabs;

    // Job j is slab j % slabs of the block's tile j / slabs. A batch is committed for each job, also for those past the end.
    auto first_of = [&](int j) { return (rank + j / slabs * kCluster) * kClasses; };
    auto order_job = [&](int j) {
        if (j < jobs) {
            int first = first_of(j), k = j % slabs * kDepth;
            order<kClasses>(ring + j % kStages * kClassSlab, weight + (size_t)first * dim + k, classes - first, dim - k, dim);
        }
        __pipeline_commit();
    };
    for (int s = 0; s < slabs; ++s) {  // these belong to the first batch
        order<kTokens>(a + s * kTokenSlab, x + (size_t)token * dim + s * kDepth, tokens - token, dim - s * kDepth, dim);
    }
    for (int j = 0; j < kStages - 1; ++j) order_job(j);

    // Each thread has two rows of the logits.
    int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
    int wanted[2] = {token + row < tokens ? target[token + row] : -1, token + row + 8 < tokens ? target[token + row + 8] : -1};
    Partial all[2] = {{-FLT_MAX, 0.0f}, {-FLT_MAX, 0.0f}};  // finite, so that there is no inf - inf
    float of_target[2] = {}, d[64] = {};
    for (int j = 0; j < jobs; ++j) {
        __pipeline_wait_prior(kStages - 2);  // this thread's part of job j has arrived
        show_to_tensor_cores();
        __syncthreads();  // so have the others, and all products of the job before are done
        const uint4* of_tokens = a + j % slabs * kTokenSlab + threadIdx.x / 128 * (kTokenSlab / kGroups);
        const uint4* of_classes = ring + j % kStages * kClassSlab;
        begin_products();
#pragma unroll
        for (int piece = 0; piece < kPieces; piece += 2) multiply(d, matrix_at(of_tokens + piece), matrix_at(of_classes + piece));
        end_products();
        order_job(j + kStages - 1);
        wait_for_products();
        if (j % slabs < slabs - 1) continue;
        int first = first_of(j), columns[2] = {wanted[0] - first, wanted[1] - first};
        absorb(d, classes - first, columns, all, of_target);
#pragma unroll
        for (int i = 0; i < 64; ++i) d[i] = 0.0f;
    }
    __pipeline_wait_prior(0);
    merge_lanes(all, of_target);
    if (threadIdx.x % 4 == 0) {
        known[row] = {all[0], of_target[0]};
        known[row + 8] = {all[1], of_target[1]};
    }
    finish(known, token, tokens, surprisal);
}

extern "C" void token_surprisal(int tokens, int dim, int classes, const __half* x, const __half* weight, const int* target,
                                float* surprisal) {
    int blocks = (tokens + kTokens - 1) / kTokens * kCluster, slabs = (dim + kDepth - 1) / kDepth;
    int bytes = (slabs * kTokenSlab + kStages * kClassSlab) * 16 + 1024;  // 1024 more, to begin on a multiple of that
    cudaFuncSetAttribute(surprise, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    surprise<<<blocks, kThreads, bytes>>>(tokens, dim, classes, x, weight, target, surprisal);
}
