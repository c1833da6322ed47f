// y = W x with 4-bit weights: one row a thread.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;

__global__ void multiply(int rows, int groups, const uint32_t* packed, const float* scale, const uint8_t* zero, const float* x, float* y) {
    const int r = blockIdx.x * kThreads + threadIdx.x;
    if (r >= rows) return;
    const uint32_t* word = packed + (size_t)r * groups * 4;
    float sum = 0.0f;
    for (int g = 0; g < groups; ++g) {
        const float s = scale[(size_t)r * groups + g];
        const int z = zero[(size_t)r * groups + g];
        for (int j = 0; j < 32; ++j) {
            const int q = word[4 * g + j / 8] >> 4 * (j % 8) & 15;
            sum += s * (q - z) * x[32 * g + j];
        }
    }
    y[r] = sum;
}

extern "C" void int4_gemv(int rows, int groups, const uint32_t* packed, const float* scale, const uint8_t* zero, const float* x, float* y) {
    multiply<<<(rows - 1) / kThreads + 1, kThreads>>>(rows, groups, packed, scale, zero, x, y);
}
