#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// area_normals: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// loop_unrolling(factor 4) [nest 2]: innermost loops unrolled.
// block_size_tuning(block 128) [nest 1, 2]: another block shape.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void area_normals_1_map(int vertices, float* normal) {
    const long long i = (long long)blockIdx.x * 128 + threadIdx.x;
    if (i < 3 * vertices) {
        normal[i] = 0.0f;
    }
}

__global__ void area_normals_2_update(int faces, const int* corner, const float* position, float* normal) {
    const int f = blockIdx.x * 128 + threadIdx.x;
    float nx;
    float ny;
    float nz;
    if (f < faces) {
        const long long a_at = 3 * (unsigned long long)corner[3 * (unsigned long long)f];
        const long long b_at = 3 * (unsigned long long)corner[3 * (unsigned long long)f + 1];
        const long long c_at = 3 * (unsigned long long)corner[3 * (unsigned long long)f + 2];
        const float ux = position[b_at] - position[a_at];
        const float uy = position[b_at + 1] - position[a_at + 1];
        const float uz = position[b_at + 2] - position[a_at + 2];
        const float vx = position[c_at] - position[a_at];
        const float vy = position[c_at + 1] - position[a_at + 1];
        const float vz = position[c_at + 2] - position[a_at + 2];
        nx = 0.5f * (uy * vz - uz * vy);
        ny = 0.5f * (uz * vx - ux * vz);
        nz = 0.5f * (ux * vy - uy * vx);
#pragma unroll 4
        for (int i_2 = 0; i_2 <= 2; ++i_2) {
            const long long to_at = 3 * (unsigned long long)corner[3 * (unsigned long long)f + i_2];
            atomicAdd(&normal[to_at], nx);
            atomicAdd(&normal[to_at + 1], ny);
            atomicAdd(&normal[to_at + 2], nz);
        }
    }
}

extern "C" void area_normals(int vertices, int faces, const int* corner, const float* position, float* normal) {
    if (vertices >= 1) {
        area_normals_1_map<<<(3 * vertices - 1) / 128 + 1, 128>>>(vertices, normal);
    }
    if (faces >= 1) {
        area_normals_2_update<<<(faces - 1) / 128 + 1, 128>>>(faces, corner, position, normal);
    }
}