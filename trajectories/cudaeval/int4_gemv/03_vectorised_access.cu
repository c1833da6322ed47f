// y = W x with 4-bit weights: a warp a row, a whole group a lane: its 32 weights are one 16-byte load, x comes four at a time.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarps = 4;

__device__ float dot8(uint32_t bits, int z, const float* x) {
    const float4 a = *(const float4*)x, b = *(const float4*)(x + 4);
    float sum = ((int)(bits & 15) - z) * a.x;
    sum += ((int)(bits >> 4 & 15) - z) * a.y + ((int)(bits >> 8 & 15) - z) * a.z + ((int)(bits >> 12 & 15) - z) * a.w;
    sum += ((int)(bits >> 16 & 15) - z) * b.x + ((int)(bits >> 20 & 15) - z) * b.y;
    return sum + ((int)(bits >> 24 & 15) - z) * b.z + ((int)(bits >> 28) - z) * b.w;
}

__global__ void multiply(int rows, int groups, const uint32_t* packed, const float* scale, const uint8_t* zero, const float* x, float* y) {
    const int r = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
    if (r >= rows) return;
    float sum = 0.0f;
    for (int g = lane; g < groups; g += 32) {
        const size_t at = (size_t)r * groups + g;
        const uint4 bits = ((const uint4*)packed)[at];
        const int z = zero[at];
        const float* own = x + 32 * g;
        sum += scale[at] * (dot8(bits.x, z, own) + dot8(bits.y, z, own + 8) + dot8(bits.z, z, own + 16) + dot8(bits.w, z, own + 24));
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
    if (((uintptr_t)packed | (uintptr_t)x) % 16 == 0)
        multiply<<<blocks, block>>>(rows, groups, packed, scale, zero, x, y);
    else
        multiply_words<<<blocks, block>>>(rows, groups, packed, scale, zero, x, y);
}
