// Charge deposition: one thread per particle, four atomics each.
#include <cuda_runtime.h>

// The cell of particle p: the last one that starts at or before p (empty cells start there too, but earlier).
__device__ int cell_of(int p, int cells, const int* cell_start) {
    int low = 0, high = cells;  // cell_start[low] <= p < cell_start[high]
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (cell_start[middle] <= p)
            low = middle;
        else
            high = middle;
    }
    return low;
}

__global__ void deposit(int ny, int nx, int particles, const int* cell_start, const float* fx, const float* fy,
                        const float* charge, float* density) {
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= particles) return;
    int cell = cell_of(p, ny * nx, cell_start);
    int y = cell / nx, x = cell % nx, y1 = y + 1 < ny ? y + 1 : 0, x1 = x + 1 < nx ? x + 1 : 0;
    float upper = charge[p] * fy[p], lower = charge[p] - upper;
    atomicAdd(&density[y * nx + x], lower * (1.0f - fx[p]));
    atomicAdd(&density[y * nx + x1], lower * fx[p]);
    atomicAdd(&density[y1 * nx + x], upper * (1.0f - fx[p]));
    atomicAdd(&density[y1 * nx + x1], upper * fx[p]);
}

extern "C" void cic_deposit(int ny, int nx, int particles, const int* cell_start, const float* fx, const float* fy,
                            const float* charge, float* density) {
    const int threads = 256;
    cudaMemsetAsync(density, 0, (size_t)ny * nx * sizeof(float));
    deposit<<<(particles - 1) / threads + 1, threads>>>(ny, nx, particles, cell_start, fx, fy, charge, density);
}
