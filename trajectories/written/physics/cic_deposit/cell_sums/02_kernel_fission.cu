// Charge deposition: shares are summed per cell, then every node collects from its four cells.
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

// Shares of a cell for its nodes (y, x), (y, x + 1), (y + 1, x) and (y + 1, x + 1).
__global__ void sum_cells(int cells, int particles, const int* cell_start, const float* fx, const float* fy,
                          const float* charge, float4* sums) {
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= particles) return;
    float4* sum = sums + cell_of(p, cells, cell_start);
    float upper = charge[p] * fy[p], lower = charge[p] - upper;
    atomicAdd(&sum->x, lower * (1.0f - fx[p]));
    atomicAdd(&sum->y, lower * fx[p]);
    atomicAdd(&sum->z, upper * (1.0f - fx[p]));
    atomicAdd(&sum->w, upper * fx[p]);
}

__global__ void collect(int ny, int nx, const float4* sums, float* density) {
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= ny * nx) return;
    int y = node / nx, x = node % nx, below = (y > 0 ? y - 1 : ny - 1) * nx, left = x > 0 ? x - 1 : nx - 1;
    density[node] = (sums[node].x + sums[y * nx + left].y) + (sums[below + x].z + sums[below + left].w);
}

extern "C" void cic_deposit(int ny, int nx, int particles, const int* cell_start, const float* fx, const float* fy,
                            const float* charge, float* density) {
    const int threads = 256;
    const int cells = ny * nx;
    float4* sums = nullptr;
    cudaMalloc(&sums, cells * sizeof(float4));
    cudaMemsetAsync(sums, 0, cells * sizeof(float4));
    sum_cells<<<(particles - 1) / threads + 1, threads>>>(cells, particles, cell_start, fx, fy, charge, sums);
    collect<<<(cells - 1) / threads + 1, threads>>>(ny, nx, sums, density);
    cudaFree(sums);
}
