// Stiffness: the three entries of a row are found in one walk along it.
#include <cuda_runtime.h>

#include <cstdint>

// Adds to a row the three values of a triangle; a corner that occurs twice goes to the same entry.
__device__ void add(const int32_t* start, const int32_t* column, float* value, int row, const int* col, const float* what) {
    unsigned left = 7;
    for (int at = start[row], end = start[row + 1]; at < end && left; ++at) {
        const int here = column[at];
        float sum = 0.0f;
        unsigned hit = 0;
#pragma unroll
        for (int j = 0; j < 3; ++j) {
            if ((left >> j & 1) && here == col[j]) {
                sum += what[j];
                hit |= 1u << j;
            }
        }
        if (hit) atomicAdd(&value[at], sum);
        left &= ~hit;
    }
}

__global__ void assemble(int triangles, const int32_t* start, const int32_t* column, const int32_t* corner, const float* x, const float* y,
                         const float* k, const float* source, float* value, float* load) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= triangles) return;
    int n[3];
#pragma unroll
    for (int i = 0; i < 3; ++i) n[i] = corner[3 * (size_t)t + i];
    float ex[3], ey[3];
#pragma unroll
    for (int i = 0; i < 3; ++i) {
        const int a = n[(i + 1) % 3], b = n[(i + 2) % 3];
        ex[i] = x[b] - x[a];
        ey[i] = y[b] - y[a];
    }
    const float area = 0.5f * fabsf(ex[0] * ey[1] - ex[1] * ey[0]);
    if (area < 1e-3f) return;
    const float share = area / 3.0f * source[t], factor = k[t] / (4.0f * area);
#pragma unroll
    for (int i = 0; i < 3; ++i) {
        atomicAdd(&load[n[i]], share);
        float what[3];
#pragma unroll
        for (int j = 0; j < 3; ++j) what[j] = factor * (ex[i] * ex[j] + ey[i] * ey[j]);
        add(start, column, value, n[i], n, what);
    }
}

extern "C" void triangle_stiffness(int nodes, int triangles, int entries, const int32_t* row_start, const int32_t* column,
                                   const int32_t* corner, const float* x, const float* y, const float* k, const float* source, float* value,
                                   float* load) {
    cudaMemsetAsync(value, 0, sizeof(float) * entries);
    cudaMemsetAsync(load, 0, sizeof(float) * nodes);
    assemble<<<(triangles + 127) / 128, 128>>>(triangles, row_start, column, corner, x, y, k, source, value, load);
}
