// The cut of a partition: a thread takes many edges, a warp adds up by shuffles, and one lane of it touches the totals.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void clear(unsigned long long* cut) { cut[threadIdx.x] = 0; }

__global__ void add(int edges, const uint8_t* __restrict__ part, const int2* __restrict__ ends, const int32_t* __restrict__ weight,
                    unsigned long long* cut) {
    unsigned long long total = 0, count = 0;
    for (long long e = blockIdx.x * (long long)blockDim.x + threadIdx.x; e < edges; e += (long long)gridDim.x * blockDim.x) {
        const int2 both = ends[e];
        if (part[both.x] == part[both.y]) continue;
        total += weight[e];
        ++count;
    }
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        total += __shfl_down_sync(0xffffffffu, total, lanes);
        count += __shfl_down_sync(0xffffffffu, count, lanes);
    }
    if (threadIdx.x % 32 == 0 && count > 0) {
        atomicAdd(&cut[0], total);
        atomicAdd(&cut[1], count);
    }
}

extern "C" void partition_cut(int, int edges, const uint8_t* part, const int32_t* ends, const int32_t* weight, int64_t* cut) {
    clear<<<1, 2>>>((unsigned long long*)cut);
    add<<<min((edges + 255) / 256, 1056), 256>>>(edges, part, (const int2*)ends, weight, (unsigned long long*)cut);
}
