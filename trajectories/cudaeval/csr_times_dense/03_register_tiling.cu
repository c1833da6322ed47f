// CSR times dense: a lane has two columns where rows are whole pairs, one 8-byte load an entry.
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

__global__ void multiply_pairs(int rows, int pairs, const int32_t* __restrict__ start, const int32_t* __restrict__ column,
                               const float* __restrict__ value, const float2* __restrict__ b, float2* __restrict__ c) {
    const int j = blockIdx.y * 32 + threadIdx.x, r = blockIdx.x * 8 + threadIdx.y;
    if (r >= rows) return;
    const int end = start[r + 1], col = min(j, pairs - 1);
    float2 sum = make_float2(0.0f, 0.0f);
    for (int from = start[r]; from < end; from += 32) {
        const int k = from + threadIdx.x, mine = k < end ? column[k] : 0, here = min(32, end - from);
        const float share = k < end ? value[k] : 0.0f;
#pragma unroll 4
        for (int other = 0; other < here; ++other) {
            const float weight = __shfl_sync(0xffffffffu, share, other);
            const float2 x = b[(size_t)__shfl_sync(0xffffffffu, mine, other) * pairs + col];
            sum.x += weight * x.x;
            sum.y += weight * x.y;
        }
    }
    if (j < pairs) c[(size_t)r * pairs + j] = sum;
}

extern "C" void csr_times_dense(int rows, int, int, int width, const int32_t* row_start, const int32_t* column, const float* value, const float* b,
                                float* c) {
    if (width % 2 == 0)
        multiply_pairs<<<dim3((rows + 7) / 8, (width / 2 + 31) / 32), dim3(32, 8)>>>(
            rows, width / 2, row_start, column, value, reinterpret_cast<const float2*>(b), reinterpret_cast<float2*>(c));
    else
        multiply<<<dim3((rows + 7) / 8, (width + 31) / 32), dim3(32, 8)>>>(rows, width, row_start, column, value, b, c);
}
