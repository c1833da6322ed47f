// 8-bit codes of rows: one warp a row, whose lanes read and write neighbouring elements.
#include <cuda_runtime.h>

constexpr int kWarps = 8;

__global__ void quantize(int rows, int cols, const float* __restrict__ value, signed char* __restrict__ code, float* __restrict__ scale) {
    int r = blockIdx.x * kWarps + threadIdx.y;
    if (r >= rows) return;
    long long base = (long long)r * cols;
    float largest = 0.0f;
    for (int c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, fabsf(value[base + c]));
    for (int gap = 16; gap > 0; gap /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, gap));
    float factor = largest > 0.0f ? 127.0f / largest : 0.0f;
    for (int c = threadIdx.x; c < cols; c += 32) code[base + c] = (signed char)rintf(value[base + c] * factor);
    if (threadIdx.x == 0) scale[r] = largest / 127.0f;
}

extern "C" void quantize_rows(int rows, int cols, const float* value, signed char* code, float* scale) {
    if (rows > 0) quantize<<<(rows + kWarps - 1) / kWarps, dim3(32, kWarps)>>>(rows, cols, value, code, scale);
}
