// Bloom filter probes: one key a thread, which stops at the first bit that is not set.
#include <cuda_runtime.h>

#include <cstdint>

__constant__ uint32_t salt[8] = {0x47b6137bu, 0x44974d91u, 0x8824ad5bu, 0xa2b7289du, 0x705495c7u, 0x2df1424bu, 0x9efc4947u, 0x5c6bfb31u};

__global__ void probe(int blocks, int keys, const uint32_t* filter, const uint64_t* key, uint8_t* passed) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= keys) return;
    const uint64_t hash = key[i] * 0x9e3779b97f4a7c15ull;
    const uint32_t* block = filter + 8 * ((hash >> 32) * blocks >> 32);
    bool all = true;
    for (int w = 0; w < 8 && all; ++w) all = block[w] >> ((uint32_t)hash * salt[w] >> 27) & 1u;
    passed[i] = all;
}

extern "C" void filter_probe(int blocks, int keys, const uint32_t* filter, const uint64_t* key, uint8_t* passed) {
    probe<<<(keys - 1) / 256 + 1, 256>>>(blocks, keys, filter, key, passed);
}
