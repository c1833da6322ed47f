// Linear layer with GELU: wgmma on one slab while cp.async brings in the next two, swizzled so that no bank is asked twice.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kGroups = 2;                                 // warp groups of a block
constexpr int kThreads = 128 * kGroups;
constexpr int kTile = 128;                                 // tokens of a block, 64 for each group, and outputs
constexpr int kDepth = 64;                                 // inputs in shared memory at a time: rows of 128 bytes
constexpr int kPieces = kDepth / 8;                        // of 8 inputs, 16 bytes
constexpr int kStages = 3;
constexpr int kMatrix = kTile * kPieces;                   // pieces of a slab of tokens, and of one of weights
constexpr int kBytes = kStages * 2 * kMatrix * 16 + 1024;  // 1024 more, to begin on a multiple of that

__device__ float gelu(float v) { return 0.5f * v * (1.0f + erff(v * 0.70710678f)); }

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

// Orders the copy of kTile rows of kDepth inputs; rows and inputs that are not there become 0. Eight neighbouring threads take one row.
__device__ void order(uint4* to, const __half* from, int rows, int left, int ins) {
#pragma unroll
    for (int i = threadIdx.x; i < kMatrix; i += kThreads) {
        int row = i / kPieces, piece = i % kPieces;
        bool there = row < rows && piece * 8 < left;
        __pipeline_memcpy_async(to + row * kPieces + (piece ^ row % 8), there ? from + (size_t)row * ins + piece * 8 : from, 16,
                                there ? 0 : 16);
    }
}

// d += the products of a group's 64 tokens with the 128 outputs, over one slab.
__device__ __forceinline__ void multiply_slab(float (&d)[64], const uint4* a, const uint4* b) {
    begin_products();
#pragma unroll
    for (int piece = 0; piece < kPieces; piece += 2) multiply(d, matrix_at(a + piece), matrix_at(b + piece));
    end_products();
}

// Writes what a warp group has: d[4 i + 2 j + k] is row 16 warp + lane / 4 + 8 j, column 8 i + 2 (lane % 4) + k of its 64 x 128.
__device__ __forceinline__ void finish(const float (&d)[64], int token, int out, int tokens, int outs, const __half* bias, __half* y) {
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
#pragma unroll
    for (int i = 0; i < 16; ++i) {
        int o = out + 8 * i + 2 * (lane % 4);
        if (o >= outs) continue;
        float low = __half2float(bias[o]), high = o + 1 < outs ? __half2float(bias[o + 1]) : 0.0f;
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            int t = token + 16 * warp + lane / 4 + 8 * j;
            if (t >= tokens) continue;
            __half2 pair = __floats2half2_rn(gelu(d[4 * i + 2 * j] + low), gelu(d[4 * i + 2 * j + 1] + high));
            __half* to = y + (size_t)t * outs + o;
            if (outs % 2 == 0) {
                *reinterpret_cast<__half2*>(to) = pair;
            } else {
                to[0] = __low2half(pair);
                if (o + 1 < outs) to[1] = __high2half(pair);
            }
        }
    }
}

__global__ void __launch_bounds__(kThreads, 2)
    layer(int tokens, int ins, int outs, const __half* x, const __half* weight, const __half* bias, __half* y) {
    extern __shared__ __align__(1024) uint4 memory[];
    uint4* ring = memory + (1024 - shared_address(memory) % 1024) % 1024 / 16;
    int token = blockIdx.y * kTile, out = blockIdx.x * kTile, group = threadIdx.x / 128, slabs = (ins + kDepth - 1) / kDepth;

    // A batch is committed for each slab, also for those past the end, so that the count of outstanding ones is fixed.
    auto order_slab = [&](int j) {
        if (j < slabs) {
            uint4* to = ring + j % kStages * 2 * kMatrix;
            int first = j * kDepth;
            order(to, x + (size_t)token * ins + first, tokens - token, ins - first, ins);
            order(to + kMatrix, weight + (size_t)out * ins + first, outs - out, ins - first, ins);
        }
        __pipeline_commit();
    };
    for (int j = 0; j < kStages - 1; ++j) order_slab(j);

    float d[64] = {};
    for (int j = 0; j < slabs; ++j) {
        __pipeline_wait_prior(kStages - 2);  // this thread's part of slab j has arrived
        show_to_tensor_cores();
        __syncthreads();  // so have the others, and all products of the slab before are done
        const uint4* slab = ring + j % kStages * 2 * kMatrix;
        multiply_slab(d, slab + group * kMatrix / kGroups, slab + kMatrix);
        order_slab(j + kStages - 1);
        wait_for_products();
    }
    finish(d, token + 64 * group, out, tokens, outs, bias, y);
}

extern "C" void linear_gelu(int tokens, int ins, int outs, const __half* x, const __half* weight, const __half* bias, __half* y) {
    dim3 blocks((outs + kTile - 1) / kTile, (tokens + kTile - 1) / kTile);
    cudaFuncSetAttribute(layer, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
    layer<<<blocks, kThreads, kBytes>>>(tokens, ins, outs, x, weight, bias, y);
}
