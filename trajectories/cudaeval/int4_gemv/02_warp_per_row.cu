// y = W x with 4-bit weights: a warp a row, neighbouring lanes on neighbouring words.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarps = 4;

__global__ void multiply(int rows, int groups, const uint32_t* packed, const float* scale, const uint8_t* zero, const float* x, float* y) {
    const int r = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
    if (r >= rows) return;
    const uint32_t* word = packed + (size_t)r * groups * 4;
    float sum = 0.0f;
    for (int w = lane; w < 4 * groups; w += 32) {
        const float s = scale[(size_t)r * groups + w / 4];
        const int z = zero[(size_t)r * groups + w / 4];
        const uint32_t bits = word[w];
        for (int j = 0; j < 8; ++j) sum += s * ((int)(bits >> 4 * j & 15) - z) * x[8 * w + j];
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (lane == 0) y[r] = sum;
}

extern "C" void int4_gemv(int rows, int groups, const uint32_t* packed, const float* scale, const uint8_t* zero, const float* x, float* y) {
    multiply<<<(rows - 1) / kWarps + 1, dim3(32, kWarps)>>>(rows, groups, packed, scale, zero, x, y);
}
