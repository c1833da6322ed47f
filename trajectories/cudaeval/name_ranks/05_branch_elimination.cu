// Name ranks: whole tiles of names lie before or behind, so that one comparison a pair is left; only in its own tile a name looks at who comes first among equals.
#include <cuda_runtime.h>

#include <cstdint>

__device__ unsigned long long number_of(const uint8_t* name, int i) {
    const uint2 word = reinterpret_cast<const uint2*>(name)[i];
    return (unsigned long long)__byte_perm(word.x, 0, 0x0123) << 32 | __byte_perm(word.y, 0, 0x0123);
}

__global__ void ranks(int names, const uint8_t* __restrict__ name, int32_t* __restrict__ rank) {
    const int first = 128 * blockIdx.x, i = first + threadIdx.x;
    __shared__ unsigned long long tile[128];
    const unsigned long long own = number_of(name, min(i, names - 1));
    int before = 0;
    for (int from = 128 * blockIdx.y; from < names; from += 128 * gridDim.y) {
        __syncthreads();
        tile[threadIdx.x] = from + (int)threadIdx.x < names ? number_of(name, from + threadIdx.x) : ~0ull;
        __syncthreads();
        const unsigned long long limit = own + (from < first);
#pragma unroll 16
        for (int k = 0; k < 128; ++k) before += tile[k] < limit;
        for (int k = 0; from == first && k < (int)threadIdx.x; ++k) before += tile[k] == own;
    }
    if (i < names && before) atomicAdd(&rank[i], before);
}

extern "C" void name_ranks(int names, const uint8_t* name, int32_t* rank) {
    cudaMemsetAsync(rank, 0, sizeof(int32_t) * names);
    ranks<<<dim3((names + 127) / 128, 8), 128>>>(names, name, rank);
}
