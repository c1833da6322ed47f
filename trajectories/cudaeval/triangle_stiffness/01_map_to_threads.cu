// Stiffness: one triangle a thread, atomics into the matrix, columns searched one by one.
#include <cuda_runtime.h>

#include <cstdint>

__device__ void add(const int32_t* start, const int32_t* column, float* value, int row, int col, float what) {
    for (int at = start[row]; at < start[row + 1]; ++at) {
        if (column[at] == col) {
            atomicAdd(&value[at], what);
            return;
        }
    }
}

__global__ void assemble(int triangles, const int32_t* start, const int32_t* column, const int32_t* corner, const float* x, const float* y,
                         const float* k, const float* source, float* value, float* load) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= triangles) return;
    const int32_t* n = corner + 3 * (size_t)t;
    float ex[3], ey[3];
    for (int i = 0; i < 3; ++i) {
        const int a = n[(i + 1) % 3], b = n[(i + 2) % 3];
        ex[i] = x[b] - x[a];
        ey[i] = y[b] - y[a];
    }
    const float area = 0.5f * fabsf(ex[0] * ey[1] - ex[1] * ey[0]);
    if (area < 1e-3f) return;
    for (int i = 0; i < 3; ++i) {
        atomicAdd(&load[n[i]], area / 3.0f * source[t]);
        for (int j = 0; j < 3; ++j) add(start, column, value, n[i], n[j], k[t] * (ex[i] * ex[j] + ey[i] * ey[j]) / (4.0f * area));
    }
}

extern "C" void triangle_stiffness(int nodes, int triangles, int entries, const int32_t* row_start, const int32_t* column,
                                   const int32_t* corner, const float* x, const float* y, const float* k, const float* source, float* value,
                                   float* load) {
    cudaMemsetAsync(value, 0, sizeof(float) * entries);
    cudaMemsetAsync(load, 0, sizeof(float) * nodes);
    assemble<<<(triangles + 127) / 128, 128>>>(triangles, row_start, column, corner, x, y, k, source, value, load);
}
