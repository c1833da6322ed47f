// Name ranks: a block shares tiles of 128 numbers, turned once.
#include <cuda_runtime.h>

#include <cstdint>

__device__ unsigned long long number_of(const uint8_t* name, int i) {
    const uint2 word = reinterpret_cast<const uint2*>(name)[i];
    return (unsigned long long)__byte_perm(word.x, 0, 0x0123) << 32 | __byte_perm(word.y, 0, 0x0123);
}

__global__ void ranks(int names, const uint8_t* name, int32_t* rank) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ unsigned long long tile[128];
    const unsigned long long own = number_of(name, min(i, names - 1));
    int before = 0;
    for (int from = 0; from < names; from += 128) {
        __syncthreads();
        if (from + (int)threadIdx.x < names) tile[threadIdx.x] = number_of(name, from + threadIdx.x);
        __syncthreads();
        for (int k = 0; k < min(128, names - from); ++k) before += tile[k] < own || (tile[k] == own && from + k < i);
    }
    if (i < names) rank[i] = before;
}

extern "C" void name_ranks(int names, const uint8_t* name, int32_t* rank) { ranks<<<(names + 127) / 128, 128>>>(names, name, rank); }
