// 8-bit codes of rows: one thread a row.
#include <cuda_runtime.h>

__global__ void quantize(int rows, int cols, const float* value, signed char* code, float* scale) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    long long base = (long long)r * cols;
    float largest = 0.0f;
    for (int c = 0; c < cols; ++c) largest = fmaxf(largest, fabsf(value[base + c]));
    float factor = largest > 0.0f ? 127.0f / largest : 0.0f;
    for (int c = 0; c < cols; ++c) code[base + c] = (signed char)rintf(value[base + c] * factor);
    scale[r] = largest / 127.0f;
}

extern "C" void quantize_rows(int rows, int cols, const float* value, signed char* code, float* scale) {
    if (rows > 0) quantize<<<(rows + 127) / 128, 128>>>(rows, cols, value, code, scale);
}
