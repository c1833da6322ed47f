#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// cic_deposit: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// restrict_read_only [nest 1, 2]: __restrict__ pointers, read-only ones const.
// block_size_tuning(block 128) [nest 1, 2]: another block shape.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void cic_deposit_1_map(int ny, int nx, float* __restrict__ density) {
    const long long node = (long long)blockIdx.x * 128 + threadIdx.x;
    if (node < ((long long)nx * ny)) {
        density[node] = 0.0f;
    }
}

__global__ void cic_deposit_2_update(int ny, int nx, const int* __restrict__ cell_start, const float* __restrict__ fx,
                                     const float* __restrict__ fy, const float* __restrict__ charge,
                                     float* __restrict__ density) {
    const int cell = blockIdx.x * 128 + threadIdx.x;
    if (cell < ((long long)nx * ny)) {
        const int y = cell / nx;
        const int x = cell % nx;
        const int y1 = y + 1 < ny ? y + 1 : 0;
        const int x1 = x + 1 < nx ? x + 1 : 0;
        for (int p = cell_start[cell]; p < cell_start[cell + 1]; ++p) {
            const float upper = charge[p] * fy[p];
            const float lower = charge[p] - upper;
            atomicAdd(&density[(unsigned long long)y * nx + x], lower * (1.0f - fx[p]));
            atomicAdd(&density[(unsigned long long)y * nx + x1], lower * fx[p]);
            atomicAdd(&density[(unsigned long long)y1 * nx + x], upper * (1.0f - fx[p]));
            atomicAdd(&density[(unsigned long long)y1 * nx + x1], upper * fx[p]);
        }
    }
}

extern "C" void cic_deposit(int ny, int nx, int particles, const int* cell_start, const float* fx, const float* fy,
                            const float* charge, float* density) {
    (void)particles;
    if (((long long)nx * ny) >= 1) {
        cic_deposit_1_map<<<(((long long)nx * ny) - 1) / 128 + 1, 128>>>(ny, nx, density);
    }
    if (((long long)nx * ny) >= 1) {
        cic_deposit_2_update<<<(((long long)nx * ny) - 1) / 128 + 1, 128>>>(ny, nx, cell_start, fx, fy, charge,
                                                                            density);
    }
}