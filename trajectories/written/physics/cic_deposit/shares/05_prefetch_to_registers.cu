// Charge deposition: even runs of particles per warp, cell ends fetched 32 at a time ahead of their use.
#include <cuda_runtime.h>

constexpr int kWarps = 8;    // per block
constexpr int kRun = 2048;   // particles per warp
constexpr unsigned int kAll = 0xFFFFFFFFu;

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

// Sums of four values over the warp: lanes 8 c to 8 c + 7 return the total of value c.
__device__ float four_sums(const float (&value)[4], int lane) {
    const bool upper = lane & 16, odd = lane & 8;
    float first = upper ? value[2] : value[0], second = upper ? value[3] : value[1];
    first += __shfl_xor_sync(kAll, upper ? value[0] : value[2], 16);
    second += __shfl_xor_sync(kAll, upper ? value[1] : value[3], 16);
    float mine = odd ? second : first;
    mine += __shfl_xor_sync(kAll, odd ? first : second, 8);
    for (int distance = 4; distance > 0; distance /= 2) mine += __shfl_xor_sync(kAll, mine, distance);
    return mine;
}

__global__ void deposit(int ny, int nx, int particles, const int* cell_start, const float* fx, const float* fy,
                        const float* charge, float* density) {
    const int lane = threadIdx.x;
    const int run = (blockIdx.x * kWarps + threadIdx.y) * kRun;
    if (run >= particles) return;  // the whole warp leaves
    const int run_end = min(run + kRun, particles);
    const int cells = ny * nx;
    int cell = cell_of(run, cells, cell_start);
    int ends = cell_start[min(cell + 1 + lane, cells)], ahead = 0;  // lane k: the end of the k-th cell from here
    for (int begin = run; begin < run_end; ++cell, ++ahead) {
        if (ahead == 32) {
            ends = cell_start[min(cell + 1 + lane, cells)];
            ahead = 0;
        }
        const int end = min(__shfl_sync(kAll, ends, ahead), run_end);
        if (end == begin) continue;  // empty
        float share[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int p = begin + lane; p < end; p += 32) {
            float upper = charge[p] * fy[p], lower = charge[p] - upper;
            share[0] += lower * (1.0f - fx[p]);
            share[1] += lower * fx[p];
            share[2] += upper * (1.0f - fx[p]);
            share[3] += upper * fx[p];
        }
        int y = cell / nx, x = cell % nx, y1 = y + 1 < ny ? y + 1 : 0, x1 = x + 1 < nx ? x + 1 : 0;
        const int node[4] = {y * nx + x, y * nx + x1, y1 * nx + x, y1 * nx + x1};
        float sum = four_sums(share, lane);
#pragma unroll
        for (int corner = 0; corner < 4; ++corner)
            if (lane == 8 * corner) atomicAdd(&density[node[corner]], sum);
        begin = end;
    }
}

extern "C" void cic_deposit(int ny, int nx, int particles, const int* cell_start, const float* fx, const float* fy,
                            const float* charge, float* density) {
    cudaMemsetAsync(density, 0, (size_t)ny * nx * sizeof(float));
    int runs = (particles - 1) / kRun + 1;
    deposit<<<(runs - 1) / kWarps + 1, dim3(32, kWarps)>>>(ny, nx, particles, cell_start, fx, fy, charge, density);
}
