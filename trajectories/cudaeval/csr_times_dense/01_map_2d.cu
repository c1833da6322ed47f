// CSR times dense: one output a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void multiply(int rows, int width, const int32_t* start, const int32_t* column, const float* value, const float* b, float* c) {
    const int j = blockIdx.y * 32 + threadIdx.x, r = blockIdx.x * 8 + threadIdx.y;
    if (r >= rows || j >= width) return;
    float sum = 0.0f;
    for (int k = start[r]; k < start[r + 1]; ++k) sum += value[k] * b[(size_t)column[k] * width + j];
    c[(size_t)r * width + j] = sum;
}

extern "C" void csr_times_dense(int rows, int, int, int width, const int32_t* row_start, const int32_t* column, const float* value, const float* b,
                                float* c) {
    multiply<<<dim3((rows + 7) / 8, (width + 31) / 32), dim3(32, 8)>>>(rows, width, row_start, column, value, b, c);
}
