// Charge deposition: one thread per particle; warps within one cell add up their shares before the atomics.
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

constexpr unsigned int kAll = 0xFFFFFFFFu;

__device__ float warp_sum(float value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(kAll, value, distance);
    return value;
}

__global__ void deposit(int ny, int nx, int particles, const int* cell_start, const float* fx, const float* fy,
                        const float* charge, float* density) {
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if ((p & ~31) >= particles) return;  // the whole warp leaves
    const bool used = p < particles;
    if (!used) p = particles - 1;
    int cell = cell_of(p, ny * nx, cell_start);
    int y = cell / nx, x = cell % nx, y1 = y + 1 < ny ? y + 1 : 0, x1 = x + 1 < nx ? x + 1 : 0;
    float q = used ? charge[p] : 0.0f, upper = q * fy[p], lower = q - upper;
    const int node[4] = {y * nx + x, y * nx + x1, y1 * nx + x, y1 * nx + x1};
    const float share[4] = {lower * (1.0f - fx[p]), lower * fx[p], upper * (1.0f - fx[p]), upper * fx[p]};
    if (__all_sync(kAll, cell == __shfl_sync(kAll, cell, 0))) {
        for (int corner = 0; corner < 4; ++corner) {
            float sum = warp_sum(share[corner]);
            if (threadIdx.x % 32 == corner) atomicAdd(&density[node[corner]], sum);
        }
    } else if (used) {
        for (int corner = 0; corner < 4; ++corner) atomicAdd(&density[node[corner]], share[corner]);
    }
}

extern "C" void cic_deposit(int ny, int nx, int particles, const int* cell_start, const float* fx, const float* fy,
                            const float* charge, float* density) {
    const int threads = 256;
    cudaMemsetAsync(density, 0, (size_t)ny * nx * sizeof(float));
    deposit<<<(particles - 1) / threads + 1, threads>>>(ny, nx, particles, cell_start, fx, fy, charge, density);
}
