// Stiffness: three threads a triangle, a row of its matrix each, so that long rows hold up less.
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
    const int at = blockIdx.x * blockDim.x + threadIdx.x, t = at / 3, i = at % 3;
    if (t >= triangles) return;
    int n[3];
#pragma unroll
    for (int c = 0; c < 3; ++c) n[c] = corner[3 * (size_t)t + c];
    float ex[3], ey[3];
#pragma unroll
    for (int c = 0; c < 3; ++c) {
        const int a = n[(c + 1) % 3], b = n[(c + 2) % 3];
        ex[c] = x[b] - x[a];
        ey[c] = y[b] - y[a];
    }
    const float area = 0.5f * fabsf(ex[0] * ey[1] - ex[1] * ey[0]);
    if (area < 1e-3f) return;
    const float factor = k[t] / (4.0f * area), own_x = i == 0 ? ex[0] : i == 1 ? ex[1] : ex[2], own_y = i == 0 ? ey[0] : i == 1 ? ey[1] : ey[2];
    const int row = i == 0 ? n[0] : i == 1 ? n[1] : n[2];
    atomicAdd(&load[row], area / 3.0f * source[t]);
    float what[3];
#pragma unroll
    for (int j = 0; j < 3; ++j) what[j] = factor * (own_x * ex[j] + own_y * ey[j]);
    add(start, column, value, row, n, what);
}

extern "C" void triangle_stiffness(int nodes, int triangles, int entries, const int32_t* row_start, const int32_t* column,
                                   const int32_t* corner, const float* x, const float* y, const float* k, const float* source, float* value,
                                   float* load) {
    cudaMemsetAsync(value, 0, sizeof(float) * entries);
    cudaMemsetAsync(load, 0, sizeof(float) * nodes);
    assemble<<<(3 * triangles + 191) / 192, 192>>>(triangles, row_start, column, corner, x, y, k, source, value, load);
}
