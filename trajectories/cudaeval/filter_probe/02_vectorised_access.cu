// Bloom filter probes: a thread reads the block of its key as two words of 16 bytes and tests all bits without a branch.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t bit_of(uint32_t word, uint32_t x, uint32_t salt) { return word >> (x * salt >> 27); }

__global__ void probe(int blocks, int keys, const uint4* __restrict__ filter, const uint64_t* __restrict__ key, uint8_t* __restrict__ passed) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= keys) return;
    const uint64_t hash = key[i] * 0x9e3779b97f4a7c15ull;
    const uint32_t x = (uint32_t)hash;
    const uint4* block = filter + 2 * ((hash >> 32) * blocks >> 32);
    const uint4 a = block[0], b = block[1];
    const uint32_t low = bit_of(a.x, x, 0x47b6137bu) & bit_of(a.y, x, 0x44974d91u) & bit_of(a.z, x, 0x8824ad5bu) & bit_of(a.w, x, 0xa2b7289du);
    const uint32_t high = bit_of(b.x, x, 0x705495c7u) & bit_of(b.y, x, 0x2df1424bu) & bit_of(b.z, x, 0x9efc4947u) & bit_of(b.w, x, 0x5c6bfb31u);
    passed[i] = low & high & 1u;
}

// For a filter that is not aligned to 16 bytes.
__global__ void probe_words(int blocks, int keys, const uint32_t* __restrict__ filter, const uint64_t* __restrict__ key,
                            uint8_t* __restrict__ passed) {
    const uint32_t salt[8] = {0x47b6137bu, 0x44974d91u, 0x8824ad5bu, 0xa2b7289du, 0x705495c7u, 0x2df1424bu, 0x9efc4947u, 0x5c6bfb31u};
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= keys) return;
    const uint64_t hash = key[i] * 0x9e3779b97f4a7c15ull;
    const uint32_t* block = filter + 8 * ((hash >> 32) * blocks >> 32);
    uint32_t all = 1;
    for (int w = 0; w < 8; ++w) all &= bit_of(block[w], (uint32_t)hash, salt[w]);
    passed[i] = all;
}

extern "C" void filter_probe(int blocks, int keys, const uint32_t* filter, const uint64_t* key, uint8_t* passed) {
    const int grid = (keys - 1) / 256 + 1;
    if ((uintptr_t)filter % 16 == 0)
        probe<<<grid, 256>>>(blocks, keys, (const uint4*)filter, key, passed);
    else
        probe_words<<<grid, 256>>>(blocks, keys, filter, key, passed);
}
