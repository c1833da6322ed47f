// Linear layer with GELU: a warp group multiplies 64 tokens by 128 outputs with one instruction (wgmma), out of shared memory.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;             // one warp group
constexpr int kTokens = 64, kOuts = 128;  // of a block: the shape of the instruction
constexpr int kDepth = 64;                // inputs in shared memory at a time
constexpr int kPieces = kDepth / 8;       // of 8 inputs, 16 bytes

__device__ float gelu(float v) { return 0.5f * v * (1.0f + erff(v * 0.70710678f)); }

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

// Brings in Rows rows as kPieces columns of pieces; rows and inputs that are not there become 0. Eight neighbouring threads take eight
// rows and so write 128 bytes in order; four such groups read 64 bytes in order of each row.
template <int Rows>
__device__ void stage(uint4 (*to)[Rows], const __half* from, int rows, int left, int ins) {
#pragma unroll
    for (int i = threadIdx.x; i < Rows * kPieces; i += kThreads) {
        int row = i / (8 * kPieces) * 8 + i % 8, piece = i / 8 % kPieces;
        bool there = row < rows && piece * 8 < left;
        to[piece][row] = there ? *reinterpret_cast<const uint4*>(from + (size_t)row * ins + piece * 8) : make_uint4(0, 0, 0, 0);
    }
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

__global__ void __launch_bounds__(kThreads)
    layer(int tokens, int ins, int outs, const __half* x, const __half* weight, const __half* bias, __half* y) {
    __shared__ __align__(128) uint4 a[kPieces][kTokens], b[kPieces][kOuts];
    int token = blockIdx.y * kTokens, out = blockIdx.x * kOuts;
    float d[64] = {};
    for (int first = 0; first < ins; first += kDepth) {
        stage<kTokens>(a, x + (size_t)token * ins + first, tokens - token, ins - first, ins);
        stage<kOuts>(b, weight + (size_t)out * ins + first, outs - out, ins - first, ins);
        show_to_tensor_cores();
        __syncthreads();
        begin_products();
#pragma unroll
        for (int piece = 0; piece < kPieces; piece += 2) {
            multiply(d, matrix_at(a[piece], sizeof(a[0]), 128), matrix_at(b[piece], sizeof(b[0]), 128));
        }
        end_products();
        wait_for_products();
        __syncthreads();  // every warp's part of the products has been read
    }
    finish(d, token, out, tokens, outs, bias, y);
}

extern "C" void linear_gelu(int tokens, int ins, int outs, const __half* x, const __half* weight, const __half* bias, __half* y) {
    dim3 blocks((outs + kOuts - 1) / kOuts, (tokens + kTokens - 1) / kTokens);
    layer<<<blocks, kThreads>>>(tokens, ins, outs, x, weight, bias, y);
}
