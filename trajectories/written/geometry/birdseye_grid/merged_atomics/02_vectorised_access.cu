// Bird's-eye grid, one thread per return, which is loaded by one 16-byte read.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

struct Return {
    int x, y, z, echo;
};

__global__ void clear(int size, int* returns, int* top, int* echo_sum) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= size) return;
    returns[i] = 0;
    top[i] = -100000;
    echo_sum[i] = 0;
}

__global__ void bin(int points, int cells, int cell, const Return* scan, int* returns, int* top, int* echo_sum) {
    int p = blockIdx.x * kThreads + threadIdx.x;
    if (p >= points) return;
    const int4 raw = reinterpret_cast<const int4*>(scan)[p];
    const Return r = {raw.x, raw.y, raw.z, raw.w};
    if (r.x < 0 || r.y < 0) return;
    int column = r.x / cell, row = r.y / cell;
    if (column >= cells || row >= cells) return;
    int at = row * cells + column;
    atomicAdd(returns + at, 1);
    atomicMax(top + at, r.z);
    atomicAdd(echo_sum + at, r.echo & 255);
}

extern "C" void birdseye_grid(int points, int cells, int cell, const Return* scan, int* returns, int* top,
                              int* echo_sum) {
    clear<<<(cells * cells - 1) / kThreads + 1, kThreads>>>(cells * cells, returns, top, echo_sum);
    bin<<<(points - 1) / kThreads + 1, kThreads>>>(points, cells, cell, scan, returns, top, echo_sum);
}
