// Bird's-eye grid, one thread per return; lanes with the same cell are merged before the atomics.
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
    const int p = blockIdx.x * kThreads + threadIdx.x;
    int at = -1, z = 0, echo = 0;
    if (p < points) {
        const int4 r = reinterpret_cast<const int4*>(scan)[p];
        const int column = r.x / cell, row = r.y / cell;
        if (r.x >= 0 && r.y >= 0 && column < cells && row < cells) at = row * cells + column;
        z = r.z;
        echo = r.w & 255;
    }
    const unsigned int same = __match_any_sync(0xffffffffu, at);
    const int highest = __reduce_max_sync(same, z), echoes = __reduce_add_sync(same, echo);
    if (at < 0 || (int)threadIdx.x % 32 != __ffs(same) - 1) return;
    atomicAdd(returns + at, __popc(same));
    atomicMax(top + at, highest);
    atomicAdd(echo_sum + at, echoes);
}

extern "C" void birdseye_grid(int points, int cells, int cell, const Return* scan, int* returns, int* top,
                              int* echo_sum) {
    clear<<<(cells * cells - 1) / kThreads + 1, kThreads>>>(cells * cells, returns, top, echo_sum);
    bin<<<(points - 1) / kThreads + 1, kThreads>>>(points, cells, cell, scan, returns, top, echo_sum);
}
