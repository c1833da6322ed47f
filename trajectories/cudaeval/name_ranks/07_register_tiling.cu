// Name ranks: a thread ranks four names, so that four numbers read at once serve sixteen comparisons.
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
    __shared__ uint4 tile[32];
    const int first = 512 * blockIdx.x + threadIdx.x;
    unsigned own[4], limit[4];
    int before[4] = {};
#pragma unroll
    for (int q = 0; q < 4; ++q) own[q] = number_of(name, min(first + 128 * q, names - 1));
    for (int from = 128 * blockIdx.y; from < names; from += 128 * gridDim.y) {
        unsigned* one = reinterpret_cast<unsigned*>(tile);
        __syncthreads();
        one[threadIdx.x] = from + (int)threadIdx.x < names ? number_of(name, from + threadIdx.x) : ~0u;
        __syncthreads();
#pragma unroll
        for (int q = 0; q < 4; ++q) limit[q] = own[q] + (from + (int)threadIdx.x < first + 128 * q);
        for (int k = 0; k < 32; ++k) {
            const uint4 other = tile[k];
#pragma unroll
            for (int q = 0; q < 4; ++q) before[q] += (other.x < limit[q]) + (other.y < limit[q]) + (other.z < limit[q]) + (other.w < limit[q]);
        }
        for (int q = 0; q < 4; ++q)
            for (int k = 0; from + (int)threadIdx.x == first + 128 * q && k < (int)threadIdx.x; ++k) before[q] += one[k] == own[q];
    }
#pragma unroll
    for (int q = 0; q < 4; ++q)
        if (first + 128 * q < names && before[q]) atomicAdd(&rank[first + 128 * q], before[q]);
}

extern "C" void name_ranks(int names, const uint8_t* name, int32_t* rank) {
    cudaMemsetAsync(rank, 0, sizeof(int32_t) * names);
    ranks<<<dim3((names + 511) / 512, 16), 128>>>(names, name, rank);
}
