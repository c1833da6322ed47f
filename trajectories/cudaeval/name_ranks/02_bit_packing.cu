// Name ranks: eight letters are one 64-bit number with the first letter on top.
#include <cuda_runtime.h>

#include <cstdint>

__device__ unsigned long long number_of(const uint8_t* name, int i) {
    const uint2 word = reinterpret_cast<const uint2*>(name)[i];
    return (unsigned long long)__byte_perm(word.x, 0, 0x0123) << 32 | __byte_perm(word.y, 0, 0x0123);
}

__global__ void ranks(int names, const uint8_t* name, int32_t* rank) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= names) return;
    const unsigned long long own = number_of(name, i);
    int before = 0;
    for (int j = 0; j < names; ++j) {
        const unsigned long long other = number_of(name, j);
        before += other < own || (other == own && j < i);
    }
    rank[i] = before;
}

extern "C" void name_ranks(int names, const uint8_t* name, int32_t* rank) { ranks<<<(names + 127) / 128, 128>>>(names, name, rank); }
