// y = W x with 4-bit weights: the zero point leaves the inner loop, since sum((q - z) x) = sum(q x) - z sum(x), with the sums of x
// found once.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarps = 4;

// Sum of q * x over the eight weights of a word.
__device__ float dot8(uint32_t bits, const float* x) {
    const float4 a = *(const float4*)x, b = *(const float4*)(x + 4);
    float sum = (bits & 15) * a.x;
    sum += (bits >> 4 & 15) * a.y + (bits >> 8 & 15) * a.z + (bits >> 12 & 15) * a.w;
    sum += (bits >> 16 & 15) * b.x + (bits >> 20 & 15) * b.y;
    return sum + (bits >> 24 & 15) * b.z + (bits >> 28) * b.w;
}

__global__ void sum_groups(int groups, const float* x, float* total) {
    const int g = blockIdx.x * kWarps + threadIdx.y;
    if (g >= groups) return;
    float sum = x[32 * g + threadIdx.x];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (threadIdx.x == 0) total[g] = sum;
}

__global__ void multiply(int rows, int groups, const uint32_t* packed, const float* scale, const uint8_t* zero, const float* x,
                         const float* total, float* y) {
    const int r = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
    if (r >= rows) return;
    float sum = 0.0f;
    for (int g = lane; g < groups; g += 32) {
        const size_t at = (size_t)r * groups + g;
        const uint4 bits = ((const uint4*)packed)[at];
        const float* own = x + 32 * g;
        const float product = dot8(bits.x, own) + dot8(bits.y, own + 8) + dot8(bits.z, own + 16) + dot8(bits.w, own + 24);
        sum += scale[at] * (product - zero[at] * total[g]);
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (lane == 0) y[r] = sum;
}

// cudaMalloc aligns to 256 bytes; pointers that do not have 16 take words of 4.
__global__ void multiply_words(int rows, int groups, const uint32_t* packed, const float* scale, const uint8_t* zero, const float* x,
                               float* y) {
    const int r = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
    if (r >= rows) return;
    float sum = 0.0f;
    for (int w = lane; w < 4 * groups; w += 32) {
        const size_t at = (size_t)r * groups + w / 4;
        const uint32_t bits = packed[(size_t)r * groups * 4 + w];
        for (int j = 0; j < 8; ++j) sum += scale[at] * ((int)(bits >> 4 * j & 15) - zero[at]) * x[8 * w + j];
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (lane == 0) y[r] = sum;
}

extern "C" void int4_gemv(int rows, int groups, const uint32_t* packed, const float* scale, const uint8_t* zero, const float* x, float* y) {
    const dim3 block(32, kWarps);
    const int blocks = (rows - 1) / kWarps + 1;
    if (((uintptr_t)packed | (uintptr_t)x) % 16 != 0) {
        multiply_words<<<blocks, block>>>(rows, groups, packed, scale, zero, x, y);
        return;
    }
    float* total = nullptr;
    cudaMalloc(&total, groups * sizeof(float));
    sum_groups<<<(groups - 1) / kWarps + 1, block>>>(groups, x, total);
    multiply<<<blocks, block>>>(rows, groups, packed, scale, zero, x, total, y);
    cudaFree(total);
}
