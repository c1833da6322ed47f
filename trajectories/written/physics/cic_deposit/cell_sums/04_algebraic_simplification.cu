// Charge deposition: moments of the charges summed per cell in private tables, turned into shares at the nodes.
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

__device__ float warp_sum(float value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, distance);
    return value;
}

// Moments of a cell: the sums of q, q fx, q fy and q fx fy.
__global__ void sum_cells(int cells, int particles, const int* cell_start, const float* fx, const float* fy,
                          const float* charge, float4* sums) {
    __shared__ float table[4 * kTable];
    __shared__ int range[2];  // cells of the block's first and last particle
    const int begin = blockIdx.x * kBatch, end = min(begin + kBatch, particles);
    for (int i = threadIdx.x; i < 4 * kTable; i += kThreads) table[i] = 0.0f;
    if (threadIdx.x < 2) range[threadIdx.x] = cell_of(threadIdx.x == 0 ? begin : end - 1, 0, cells, cell_start);
    __syncthreads();
    for (int p = begin + threadIdx.x; p < begin + kBatch; p += kThreads) {  // whole warps, also at the end
        const int known = min(p, end - 1);
        const int cell = cell_of(known, range[0], range[1] + 1, cell_start), entry = cell - range[0];
        float* sum = entry < kTable ? table + 4 * entry : reinterpret_cast<float*>(sums + cell);
        const float q = p < end ? charge[known] : 0.0f, right = q * fx[known];
        const float moment[4] = {q, right, q * fy[known], right * fy[known]};
        if (__all_sync(0xFFFFFFFFu, cell == __shfl_sync(0xFFFFFFFFu, cell, 0))) {
#pragma unroll
            for (int m = 0; m < 4; ++m) {
                const float total = warp_sum(moment[m]);
                if (threadIdx.x % 32 == m) atomicAdd(&sum[m], total);
            }
        } else if (p < end) {
#pragma unroll
            for (int m = 0; m < 4; ++m) atomicAdd(&sum[m], moment[m]);
        }
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
    const float4 own = sums[node], west = sums[y * nx + left], south = sums[below + x], corner = sums[below + left];
    density[node] = ((own.x - own.y) - (own.z - own.w)) + (west.y - west.w) + (south.z - south.w) + corner.w;
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
