// CSR times dense: a warp reads 32 entries of its row at once and hands them round by shuffles.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void multiply(int rows, int width, const int32_t* start, const int32_t* column, const float* value, const float* b, float* c) {
    const int j = blockIdx.y * 32 + threadIdx.x, r = blockIdx.x * 8 + threadIdx.y;
    if (r >= rows) return;
    const int end = start[r + 1], col = min(j, width - 1);
    float sum = 0.0f;
    for (int from = start[r]; from < end; from += 32) {
        const int k = from + threadIdx.x, mine = k < end ? column[k] : 0, here = min(32, end - from);
        const float share = k < end ? value[k] : 0.0f;
        for (int other = 0; other < here; ++other)
            sum += __shfl_sync(0xffffffffu, share, other) * b[(size_t)__shfl_sync(0xffffffffu, mine, other) * width + col];
    }
    if (j < width) c[(size_t)r * width + j] = sum;
}

extern "C" void csr_times_dense(int rows, int, int, int width, const int32_t* row_start, const int32_t* column, const float* value, const float* b,
                                float* c) {
    multiply<<<dim3((rows + 7) / 8, (width + 31) / 32), dim3(32, 8)>>>(rows, width, row_start, column, value, b, c);
}
