// Grouped products: one output a thread, which looks its group up.
#include <cuda_runtime.h>

#include <cstdint>

// The last group that begins at the row or before, -1 before all.
__device__ int group_of(int groups, const int32_t* start, int row) {
    int low = -1;
    for (int high = groups - 1; low < high;) {
        const int middle = (low + high + 1) / 2;
        if (start[middle] <= row) low = middle;
        else high = middle - 1;
    }
    return low;
}

__global__ void multiply(int groups, int rows, int inner, int cols, const int32_t* start, const float* a, const float* w, float* c) {
    const int j = blockIdx.y * 32 + threadIdx.x, r = blockIdx.x * 8 + threadIdx.y;
    if (r >= rows || j >= cols) return;
    const int g = group_of(groups, start, r);
    float sum = 0.0f;
    for (int k = 0; g >= 0 && k < inner; ++k) sum += a[(size_t)r * inner + k] * w[((size_t)g * inner + k) * cols + j];
    c[(size_t)r * cols + j] = sum;
}

extern "C" void grouped_products(int groups, int rows, int inner, int cols, const int32_t* start, const float* a, const float* w, float* c) {
    multiply<<<dim3((rows + 7) / 8, (cols + 31) / 32), dim3(32, 8)>>>(groups, rows, inner, cols, start, a, w, c);
}
