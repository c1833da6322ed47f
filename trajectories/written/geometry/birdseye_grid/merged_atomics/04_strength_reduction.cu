// Bird's-eye grid, one thread per return, cells found by a reciprocal; lanes with the same cell are merged.
#include <cuda_runtime.h>

#include <algorithm>
#include <climits>

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

// floor(x / cell) for 0 <= x < extent; `inverse` is 2^32 / cell rounded down, plus 1.
template <bool kReciprocal>
__device__ int cell_of(int x, int cell, unsigned int inverse) {
    return kReciprocal ? (int)__umulhi((unsigned int)x, inverse) : x / cell;
}

template <bool kReciprocal>
__global__ void bin(int points, int cells, int cell, int extent, unsigned int inverse, const Return* scan,
                    int* returns, int* top, int* echo_sum) {
    const int p = blockIdx.x * kThreads + threadIdx.x;
    int at = -1, z = 0, echo = 0;
    if (p < points) {
        const int4 r = reinterpret_cast<const int4*>(scan)[p];
        if (r.x >= 0 && r.y >= 0 && r.x < extent && r.y < extent)
            at = cell_of<kReciprocal>(r.y, cell, inverse) * cells + cell_of<kReciprocal>(r.x, cell, inverse);
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
    const long long wide = (long long)cells * cell;  // of the grid; coordinates are 32-bit
    const int extent = (int)std::min(wide, (long long)INT_MAX), blocks = (points - 1) / kThreads + 1;
    if (cell > 1 && wide * cell < 1LL << 32) {
        const unsigned int inverse = (unsigned int)((1ULL << 32) / (unsigned int)cell) + 1;
        bin<true><<<blocks, kThreads>>>(points, cells, cell, extent, inverse, scan, returns, top, echo_sum);
    } else {
        bin<false><<<blocks, kThreads>>>(points, cells, cell, extent, 0, scan, returns, top, echo_sum);
    }
}
