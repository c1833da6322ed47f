// Bird's-eye grid; count and echo share a 64-bit word, two atomics per return.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

struct Return {
    int x, y, z, echo;
};

using Word = unsigned long long;  // number of returns in the upper half, sum of echoes in the lower

__global__ void clear(int size, Word* packed, int* top) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= size) return;
    packed[i] = 0;
    top[i] = -100000;
}

__global__ void split(int size, const Word* packed, int* returns, int* echo_sum) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= size) return;
    returns[i] = (int)(packed[i] >> 32);
    echo_sum[i] = (int)(unsigned int)packed[i];
}

__global__ void bin(int points, int cells, int cell, const Return* scan, Word* packed, int* top) {
    int p = blockIdx.x * kThreads + threadIdx.x;
    if (p >= points) return;
    const int4 raw = reinterpret_cast<const int4*>(scan)[p];
    const Return r = {raw.x, raw.y, raw.z, raw.w};
    if (r.x < 0 || r.y < 0) return;
    int column = r.x / cell, row = r.y / cell;
    if (column >= cells || row >= cells) return;
    int at = row * cells + column;
    atomicAdd(packed + at, (Word)1 << 32 | (Word)(r.echo & 255));
    atomicMax(top + at, r.z);
}

extern "C" void birdseye_grid(int points, int cells, int cell, const Return* scan, int* returns, int* top,
                              int* echo_sum) {
    const int size = cells * cells, blocks = (size - 1) / kThreads + 1;
    Word* packed = nullptr;
    cudaMalloc(&packed, size * sizeof(Word));
    clear<<<blocks, kThreads>>>(size, packed, top);
    bin<<<(points - 1) / kThreads + 1, kThreads>>>(points, cells, cell, scan, packed, top);
    split<<<blocks, kThreads>>>(size, packed, returns, echo_sum);
    cudaFree(packed);
}
