// Charge deposition: shares summed per cell in private tables of blocks, then every node collects from its cells.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kBatch = 1024;  // particles per block
constexpr int kTable = 256;   // private cells per block

// The cell of particle p among [low, high): the last one that starts at or before p; empty ones start there earlier.
__device__ int cell_of(int p, int low, int high, const int* cell_start) {
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
    __shared__ float table[4 * kTable];
    __shared__ int range[2];  // cells of the block's first and last particle
    const int begin = blockIdx.x * kBatch, end = min(begin + kBatch, particles);
    for (int i = threadIdx.x; i < 4 * kTable; i += kThreads) table[i] = 0.0f;
    if (threadIdx.x < 2) range[threadIdx.x] = cell_of(threadIdx.x == 0 ? begin : end - 1, 0, cells, cell_start);
    __syncthreads();
    for (int p = begin + threadIdx.x; p < end; p += kThreads) {
        const int cell = cell_of(p, range[0], range[1] + 1, cell_start), entry = cell - range[0];
        float* sum = entry < kTable ? table + 4 * entry : reinterpret_cast<float*>(sums + cell);
        float upper = charge[p] * fy[p], lower = charge[p] - upper;
        atomicAdd(&sum[0], lower * (1.0f - fx[p]));
        atomicAdd(&sum[1], lower * fx[p]);
        atomicAdd(&sum[2], upper * (1.0f - fx[p]));
        atomicAdd(&sum[3], upper * fx[p]);
    }
    __syncthreads();
    const int used = 4 * min(range[1] - range[0] + 1, kTable);
    for (int i = threadIdx.x; i < used; i += kThreads)
        if (table[i] != 0.0f) atomicAdd(reinterpret_cast<float*>(sums + range[0]) + i, table[i]);
}

__global__ void collect(int ny, int nx, const float4* sums, float* density) {
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= ny * nx) return;
    int y = node / nx, x = node % nx, below = (y > 0 ? y - 1 : ny - 1) * nx, left = x > 0 ? x - 1 : nx - 1;
    density[node] = (sums[node].x + sums[y * nx + left].y) + (sums[below + x].z + sums[below + left].w);
}

extern "C" void cic_deposit(int ny, int nx, int particles, const int* cell_start, const float* fx, const float* fy,
                            const float* charge, float* density) {
    const int cells = ny * nx;
    float4* sums = nullptr;
    cudaMalloc(&sums, cells * sizeof(float4));
    cudaMemsetAsync(sums, 0, cells * sizeof(float4));
    sum_cells<<<(particles - 1) / kBatch + 1, kThreads>>>(cells, particles, cell_start, fx, fy, charge, sums);
    collect<<<(cells - 1) / kThreads + 1, kThreads>>>(ny, nx, sums, density);
    cudaFree(sums);
}
