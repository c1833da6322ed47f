// Porous pressure: conductances to the right, below and behind are computed once for all sweeps, and their sums' inverses too.
#include <cuda_runtime.h>

typedef unsigned long long u64;

struct Links {
    double *right, *below, *behind, *inverse;
};

__device__ double mean(const double* rock, int at, int other) { return 2 * rock[at] * rock[other] / (rock[at] + rock[other]); }

__global__ void conduct(int planes, int rows, int cols, const double* rock, Links g) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z;
    if (x >= cols || y >= rows) return;
    const int plane = rows * cols, at = z * plane + y * cols + x;
    g.right[at] = x + 1 < cols ? mean(rock, at, at + 1) : 0.0;
    g.below[at] = y + 1 < rows ? mean(rock, at, at + cols) : 0.0;
    g.behind[at] = z + 1 < planes ? mean(rock, at, at + plane) : 0.0;
    double total = 0.1 + g.right[at] + g.below[at] + g.behind[at];
    if (x > 0) total += mean(rock, at, at - 1);
    if (y > 0) total += mean(rock, at, at - cols);
    if (z > 0) total += mean(rock, at, at - plane);
    g.inverse[at] = 1 / total;
}

__global__ void sweep(bool last, int planes, int rows, int cols, Links g, const double* __restrict__ source, const double* __restrict__ p,
                      double* __restrict__ next, u64* change) {
    __shared__ u64 top;
    if (threadIdx.x == 0 && threadIdx.y == 0) top = 0;
    __syncthreads();
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z;
    double moved = 0.0;
    if (x < cols && y < rows) {
        const int plane = rows * cols, at = z * plane + y * cols + x;
        double flow = source[at];
        if (z > 0) flow += g.behind[at - plane] * p[at - plane];
        if (z + 1 < planes) flow += g.behind[at] * p[at + plane];
        if (y > 0) flow += g.below[at - cols] * p[at - cols];
        if (y + 1 < rows) flow += g.below[at] * p[at + cols];
        if (x > 0) flow += g.right[at - 1] * p[at - 1];
        if (x + 1 < cols) flow += g.right[at] * p[at + 1];
        moved = 0.8 * (flow * g.inverse[at] - p[at]);
        next[at] = p[at] + moved;
    }
    if (!last) return;
    atomicMax(&top, (u64)__double_as_longlong(fabs(moved)));
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) atomicMax(change, top);
}

extern "C" void porous_pressure(int planes, int rows, int cols, int sweeps, const double* rock, const double* source, double* p, double* change) {
    const size_t cells = (size_t)planes * rows * cols;
    const dim3 grid((cols + 31) / 32, (rows + 7) / 8, planes), block(32, 8);
    double* scratch = nullptr;
    cudaMallocAsync(&scratch, sizeof(double) * 5 * cells, 0);
    const Links g = {scratch, scratch + cells, scratch + 2 * cells, scratch + 3 * cells};
    double* other = scratch + 4 * cells;
    cudaMemsetAsync(change, 0, sizeof(double));
    conduct<<<grid, block>>>(planes, rows, cols, rock, g);
    for (int s = 0; s < sweeps; ++s)
        sweep<<<grid, block>>>(s + 1 == sweeps, planes, rows, cols, g, source, s % 2 ? other : p, s % 2 ? p : other, reinterpret_cast<u64*>(change));
    if (sweeps % 2) cudaMemcpyAsync(p, other, sizeof(double) * cells, cudaMemcpyDeviceToDevice);
    cudaFreeAsync(scratch, 0);
}
