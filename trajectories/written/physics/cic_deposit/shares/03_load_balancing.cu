// Charge deposition: a warp takes an even run of particles and adds up the shares of each cell in it.
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

__device__ float warp_sum(float value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(kAll, value, distance);
    return value;
}

__global__ void deposit(int ny, int nx, int particles, const int* cell_start, const float* fx, const float* fy,
                        const float* charge, float* density) {
    const int lane = threadIdx.x;
    const int run = (blockIdx.x * kWarps + threadIdx.y) * kRun;
    if (run >= particles) return;  // the whole warp leaves
    const int run_end = min(run + kRun, particles);
    int cell = cell_of(run, ny * nx, cell_start);
    for (int begin = run; begin < run_end; ++cell) {
        const int end = min(cell_start[cell + 1], run_end);
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
#pragma unroll
        for (int corner = 0; corner < 4; ++corner) {
            float sum = warp_sum(share[corner]);
            if (lane == corner) atomicAdd(&density[node[corner]], sum);
        }
        begin = end;
    }
}

extern "C" void cic_deposit(int ny, int nx, int particles, const int* cell_start, const float* fx, const float* fy,
                            const float* charge, float* density) {
    cudaMemsetAsync(density, 0, (size_t)ny * nx * sizeof(float));
    int runs = (particles - 1) / kRun + 1;
    deposit<<<(runs - 1) / kWarps + 1, dim3(32, kWarps)>>>(ny, nx, particles, cell_start, fx, fy, charge, density);
}
