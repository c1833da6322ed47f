#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// coulomb_slice: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// block_size_tuning(block 128): another block shape.
// vectorised_access(width 4): neighbouring elements loaded and stored together.
// restrict_read_only: __restrict__ pointers, read-only ones const.
// constant_memory: small tables in constant memory.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__constant__ float atom_constant[2048];

__global__ void coulomb_slice_1_map(int height, int width, int atoms, float spacing, float* __restrict__ potential) {
    const long long point = (long long)blockIdx.x * 128 + threadIdx.x;
    const int x_first = (point % ((width - 1) / 4 + 1)) * 4;
    const int y = point / ((width - 1) / 4 + 1);
    const bool whole_groups = (size_t)potential % 16 == 0 && width % 4 == 0;
    // 4 neighbouring points: one wide access an array; at the ends, and off boundaries, one by one.
    if (whole_groups && width >= x_first + 4 && y < height) {
        alignas(16) float potential_lanes[4];
#pragma unroll
        for (int lane = 0; lane < 4; ++lane) {
            const int x = x_first + lane;
            float sum;
            sum = 0.0f;
            for (int a = 0; a < atoms; ++a) {
                const float dx = x * spacing - atom_constant[4 * a];
                const float dy = y * spacing - atom_constant[4 * a + 1];
                const float dz = atom_constant[4 * a + 2];
                sum += atom_constant[4 * a + 3] / sqrt(dx * dx + dy * dy + dz * dz);
            }
            potential_lanes[lane] = sum;
        }
        *reinterpret_cast<float4*>(&potential[width * y + x_first]) = *reinterpret_cast<const float4*>(potential_lanes);
    } else {
#pragma unroll
        for (int lane = 0; lane < 4; ++lane) {
            const int x = x_first + lane;
            float sum;
            if (x < width && y < height) {
                sum = 0.0f;
                for (int a = 0; a < atoms; ++a) {
                    const float dx = x * spacing - atom_constant[4 * a];
                    const float dy = y * spacing - atom_constant[4 * a + 1];
                    const float dz = atom_constant[4 * a + 2];
                    sum += atom_constant[4 * a + 3] / sqrt(dx * dx + dy * dy + dz * dz);
                }
                potential[(unsigned long long)y * width + x] = sum;
            }
        }
    }
}

__global__ void coulomb_slice_2_map(int height, int width, int atoms, float spacing, const float* __restrict__ atom,
                                    float* __restrict__ potential) {
    const long long point = (long long)blockIdx.x * 128 + threadIdx.x;
    const int x_first = (point % ((width - 1) / 4 + 1)) * 4;
    const int y = point / ((width - 1) / 4 + 1);
    const bool whole_groups = (size_t)potential % 16 == 0 && width % 4 == 0;
    // 4 neighbouring points: one wide access an array; at the ends, and off boundaries, one by one.
    if (whole_groups && width >= x_first + 4 && y < height) {
        alignas(16) float potential_lanes[4];
#pragma unroll
        for (int lane = 0; lane < 4; ++lane) {
            const int x = x_first + lane;
            float sum;
            sum = 0.0f;
            for (int a = 0; a < atoms; ++a) {
                const float dx = x * spacing - atom[4 * a];
                const float dy = y * spacing - atom[4 * a + 1];
                const float dz = atom[4 * a + 2];
                sum += atom[4 * a + 3] / sqrt(dx * dx + dy * dy + dz * dz);
            }
            potential_lanes[lane] = sum;
        }
        *reinterpret_cast<float4*>(&potential[width * y + x_first]) = *reinterpret_cast<const float4*>(potential_lanes);
    } else {
#pragma unroll
        for (int lane = 0; lane < 4; ++lane) {
            const int x = x_first + lane;
            float sum;
            if (x < width && y < height) {
                sum = 0.0f;
                for (int a = 0; a < atoms; ++a) {
                    const float dx = x * spacing - atom[4 * a];
                    const float dy = y * spacing - atom[4 * a + 1];
                    const float dz = atom[4 * a + 2];
                    sum += atom[4 * a + 3] / sqrt(dx * dx + dy * dy + dz * dz);
                }
                potential[(unsigned long long)y * width + x] = sum;
            }
        }
    }
}

extern "C" void coulomb_slice(int height, int width, int atoms, float spacing, const float* atom, float* potential) {
    if ((atoms * 4) <= 2048) {
        cudaMemcpyToSymbolAsync(atom_constant, atom, (atoms * 4) * sizeof(float), 0, cudaMemcpyDeviceToDevice);
        if (height >= 1 && width >= 1) {
            coulomb_slice_1_map<<<((long long)height * ((width - 1) / 4 + 1) - 1) / 128 + 1, 128>>>(
                height, width, atoms, spacing, potential);
        }
    } else {
        if (height >= 1 && width >= 1) {
            coulomb_slice_2_map<<<((long long)height * ((width - 1) / 4 + 1) - 1) / 128 + 1, 128>>>(
                height, width, atoms, spacing, atom, potential);
        }
    }
}