// The cut of a partition: one thread an edge, added up by atomics.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void clear(unsigned long long* cut) { cut[threadIdx.x] = 0; }

__global__ void add(int edges, const uint8_t* part, const int32_t* ends, const int32_t* weight, unsigned long long* cut) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges || part[ends[2 * (long long)e]] == part[ends[2 * (long long)e + 1]]) return;
    atomicAdd(&cut[0], (unsigned long long)weight[e]);
    atomicAdd(&cut[1], 1ull);
}

extern "C" void partition_cut(int, int edges, const uint8_t* part, const int32_t* ends, const int32_t* weight, int64_t* cut) {
    clear<<<1, 2>>>((unsigned long long*)cut);
    add<<<(edges + 255) / 256, 256>>>(edges, part, ends, weight, (unsigned long long*)cut);
}
