// Surprisal from hidden states: logits of 64 tokens and 128 classes by a warp group's products (wgmma), reduced where they are.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cfloat>
#include <cmath>
#include <cstdint>

constexpr int kThreads = 128;                // one warp group
constexpr int kTokens = 64, kClasses = 128;  // the shape of the instruction: tokens of a block, and classes at a time
constexpr int kDepth = 64;                   // inputs of the classes in shared memory at a time
constexpr int kPieces = kDepth / 8;          // of 8 inputs, 16 bytes
constexpr int kMostDim = 512;

// The largest logit seen so far and the sum of exp(logit - top).
struct Partial {
    float top, sum;
};

__device__ __forceinline__ Partial merged(Partial a, Partial b) {
    float top = fmaxf(a.top, b.top);
    return {top, a.sum * __expf(a.top - top) + b.sum * __expf(b.top - top)};
}

// Where wgmma finds a matrix without swizzle: 8 rows of 16 bytes lie one after the other and are a core matrix of 128 bytes. The next core
// matrix towards more inputs lies `along` bytes further, the one of the next 8 rows `down` bytes. All in units of 16 bytes, 14 bits each.
__device__ __forceinline__ uint64_t matrix_at(const void* begin, unsigned along, unsigned down) {
    unsigned address = (unsigned)__cvta_generic_to_shared(begin);
    return (uint64_t)(address >> 4 & 0x3fff) | (uint64_t)(along >> 4) << 16 | (uint64_t)(down >> 4) << 32;
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

// Brings in Rows rows as `pieces` columns of 16-byte pieces; rows and inputs that are not there become 0. Eight neighbouring threads take
// eight rows and so write 128 bytes in order; the next group has the next piece of each.
template <int Rows>
__device__ void stage(uint4 (*to)[Rows], const __half* from, int rows, int left, int dim, int pieces) {
#pragma unroll 8
    for (int i = threadIdx.x; i < Rows * pieces; i += kThreads) {
        int row = i / (8 * pieces) * 8 + i % 8, piece = i / 8 % pieces;
        bool there = row < rows && piece * 8 < left;
        to[piece][row] = there ? *reinterpret_cast<const uint4*>(from + (size_t)row * dim + piece * 8) : make_uint4(0, 0, 0, 0);
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

__global__ void __launch_bounds__(kThreads)
    surprise(int tokens, int dim, int classes, const __half* x, const __half* weight, const int* target, float* surprisal) {
    extern __shared__ __align__(128) uint4 a_pieces[];  // all inputs of the tokens, as columns of pieces
    __shared__ __align__(128) uint4 b[kPieces][kClasses];
    uint4(*a)[kTokens] = reinterpret_cast<uint4(*)[kTokens]>(a_pieces);
    int token = blockIdx.x * kTokens, depth = (dim + kDepth - 1) / kDepth * kDepth;
    stage<kTokens>(a, x + (size_t)token * dim, tokens - token, dim, dim, depth / 8);

    // Each thread has two rows of the logits.
    int row = token + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
    int wanted[2] = {row < tokens ? target[row] : -1, row + 8 < tokens ? target[row + 8] : -1};
    Partial all[2] = {{-FLT_MAX, 0.0f}, {-FLT_MAX, 0.0f}};  // finite, so that there is no inf - inf
    float of_target[2] = {};
    for (int first = 0; first < classes; first += kClasses) {
        float d[64] = {};
        for (int k = 0; k < dim; k += kDepth) {
            stage<kClasses>(b, weight + (size_t)first * dim + k, classes - first, dim - k, dim, kPieces);
            show_to_tensor_cores();
            __syncthreads();
            begin_products();
#pragma unroll
            for (int piece = 0; piece < kPieces; piece += 2) {
                multiply(d, matrix_at(a[k / 8 + piece], sizeof(a[0]), 128), matrix_at(b[piece], sizeof(b[0]), 128));
            }
            end_products();
            wait_for_products();
            __syncthreads();  // every warp's part of the products has been read
        }
        int columns[2] = {wanted[0] - first, wanted[1] - first};
        absorb(d, classes - first, columns, all, of_target);
    }
    merge_lanes(all, of_target);
    if (threadIdx.x % 4 != 0) return;
#pragma unroll
    for (int j = 0; j < 2; ++j) {
        if (row + 8 * j < tokens) surprisal[row + 8 * j] = all[j].top + logf(all[j].sum) - of_target[j];
    }
}

extern "C" void token_surprisal(int tokens, int dim, int classes, const __half* x, const __half* weight, const int* target,
                                float* surprisal) {
    int bytes = (dim + kDepth - 1) / kDepth * kDepth * kTokens * (int)sizeof(__half);
    cudaFuncSetAttribute(surprise, cudaFuncAttributeMaxDynamicSharedMemorySize, kMostDim * kTokens * (int)sizeof(__half));
    surprise<<<(tokens + kTokens - 1) / kTokens, kThreads, bytes>>>(tokens, dim, classes, x, weight, target, surprisal);
}
