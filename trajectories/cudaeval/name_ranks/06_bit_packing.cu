// Name ranks: six codes need three bits, so that a name is a number of 24 bits and a comparison one instruction.
#include <cuda_runtime.h>

#include <cstdint>

// Eight letters of three bits each: as a number they are in the order of the names.
__device__ unsigned number_of(const uint8_t* name, int i) {
    const uint2 word = reinterpret_cast<const uint2*>(name)[i];
    unsigned number = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) number = number << 3 | (word.x >> 8 * k & 7);
#pragma unroll
    for (int k = 0; k < 4; ++k) number = number << 3 | (word.y >> 8 * k & 7);
    return number;
}

__global__ void ranks(int names, const uint8_t* __restrict__ name, int32_t* __restrict__ rank) {
    const int first = 128 * blockIdx.x, i = first + threadIdx.x;
    __shared__ unsigned tile[128];
    const unsigned own = number_of(name, min(i, names - 1));
    int before = 0;
    for (int from = 128 * blockIdx.y; from < names; from += 128 * gridDim.y) {
        __syncthreads();
        tile[threadIdx.x] = from + (int)threadIdx.x < names ? number_of(name, from + threadIdx.x) : ~0u;
        __syncthreads();
        const unsigned limit = own + (from < first);
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
