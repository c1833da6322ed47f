// Porous pressure: two arrays take turns; only the last sweep looks for the largest change, in shared memory first.
#include <cuda_runtime.h>

typedef unsigned long long u64;

__device__ void add(const double* rock, const double* p, int at, int other, double& flow, double& total) {
    const double g = 2 * rock[at] * rock[other] / (rock[at] + rock[other]);
    flow += g * p[other];
    total += g;
}

__device__ double relax(int planes, int rows, int cols, const double* rock, const double* source, const double* p, double* next);

__global__ void sweep(bool last, int planes, int rows, int cols, const double* rock, const double* source, const double* p, double* next, u64* change) {
    __shared__ u64 top;
    if (threadIdx.x == 0 && threadIdx.y == 0) top = 0;
    __syncthreads();
    const double moved = relax(planes, rows, cols, rock, source, p, next);
    if (!last) return;
    atomicMax(&top, (u64)__double_as_longlong(fabs(moved)));
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) atomicMax(change, top);
}

__device__ double relax(int planes, int rows, int cols, const double* rock, const double* source, const double* p, double* next) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z;
    if (x >= cols || y >= rows) return 0.0;
    const int at = (z * rows + y) * cols + x;
    double flow = source[at], total = 0.1;
    if (z > 0) add(rock, p, at, at - rows * cols, flow, total);
    if (z + 1 < planes) add(rock, p, at, at + rows * cols, flow, total);
    if (y > 0) add(rock, p, at, at - cols, flow, total);
    if (y + 1 < rows) add(rock, p, at, at + cols, flow, total);
    if (x > 0) add(rock, p, at, at - 1, flow, total);
    if (x + 1 < cols) add(rock, p, at, at + 1, flow, total);
    const double moved = 0.8 * (flow / total - p[at]);
    next[at] = p[at] + moved;
    return moved;
}

extern "C" void porous_pressure(int planes, int rows, int cols, int sweeps, const double* rock, const double* source, double* p, double* change) {
    const size_t bytes = sizeof(double) * (size_t)planes * rows * cols;
    const dim3 grid((cols + 31) / 32, (rows + 7) / 8, planes), block(32, 8);
    double* other = nullptr;
    cudaMallocAsync(&other, bytes, 0);
    cudaMemsetAsync(change, 0, sizeof(double));
    for (int s = 0; s < sweeps; ++s)
        sweep<<<grid, block>>>(s + 1 == sweeps, planes, rows, cols, rock, source, s % 2 ? other : p, s % 2 ? p : other, reinterpret_cast<u64*>(change));
    if (sweeps % 2) cudaMemcpyAsync(p, other, bytes, cudaMemcpyDeviceToDevice);
    cudaFreeAsync(other, 0);
}
