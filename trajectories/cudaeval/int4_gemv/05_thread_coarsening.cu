// y = W x with 4-bit weights: four rows a warp, so that a value of x read from shared memory serves four weights.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarps = 8;
constexpr int kPitch = 36;  // floats from one group to the next: 16-byte reads of eight lanes fall on different banks
constexpr int kRows = 4;     // rows a warp

// Sum of (q - z) * x over the eight weights of a word.
__device__ float dot8(uint32_t bits, int z, float4 a, float4 b) {
    float sum = ((int)(bits & 15) - z) * a.x;
    sum += ((int)(bits >> 4 & 15) - z) * a.y + ((int)(bits >> 8 & 15) - z) * a.z + ((int)(bits >> 12 & 15) - z) * a.w;
    sum += ((int)(bits >> 16 & 15) - z) * b.x + ((int)(bits >> 20 & 15) - z) * b.y;
    return sum + ((int)(bits >> 24 & 15) - z) * b.z + ((int)(bits >> 28) - z) * b.w;
}

__global__ void multiply(int rows, int groups, const uint32_t* packed, const float* scale, const uint8_t* zero, const float* x, float* y) {
    __shared__ __align__(16) float tile[32 * kPitch];
    const int top = (blockIdx.x * kWarps + threadIdx.y) * kRows, lane = threadIdx.x;
    float sum[kRows] = {};
    for (int first = 0; first < groups; first += 32) {
        for (int g = threadIdx.y; g < 32; g += kWarps) tile[g * kPitch + lane] = first + g < groups ? x[32 * (first + g) + lane] : 0.0f;
        __syncthreads();
        if (first + lane < groups) {
            uint4 bits[kRows];
            int z[kRows];
            float product[kRows] = {};
#pragma unroll
            for (int i = 0; i < kRows; ++i) {
                const size_t at = (size_t)min(top + i, rows - 1) * groups + first + lane;
                bits[i] = __ldg((const uint4*)packed + at);
                z[i] = zero[at];
            }
#pragma unroll
            for (int w = 0; w < 4; ++w) {
                const float4 a = *(const float4*)(tile + lane * kPitch + 8 * w), b = *(const float4*)(tile + lane * kPitch + 8 * w + 4);
#pragma unroll
                for (int i = 0; i < kRows; ++i) {
                    const unsigned int word = w == 0 ? bits[i].x : w == 1 ? bits[i].y : w == 2 ? bits[i].z : bits[i].w;
                    product[i] += dot8(word, z[i], a, b);
                }
            }
#pragma unroll
            for (int i = 0; i < kRows; ++i) {
                const size_t at = (size_t)min(top + i, rows - 1) * groups + first + lane;
                sum[i] += scale[at] * product[i];
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
        for (int step = 16; step > 0; step /= 2) sum[i] += __shfl_down_sync(0xffffffffu, sum[i], step);
        if (lane == 0 && top + i < rows) y[top + i] = sum[i];
    }
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
    if ((uintptr_t)packed % 16 == 0)
        multiply<<<(rows - 1) / (kWarps * kRows) + 1, block>>>(rows, groups, packed, scale, zero, x, y);
    else
        multiply_words<<<(rows - 1) / kWarps + 1, block>>>(rows, groups, packed, scale, zero, x, y);
}
