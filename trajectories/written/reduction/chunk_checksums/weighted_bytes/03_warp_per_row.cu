// Chunk checksums: a warp for each chunk; b is a sum of bytes weighted by their distance from the end.
#include <cuda_runtime.h>

#include <cstdint>

constexpr uint32_t kPrime = 65521;

__device__ uint64_t warp_sum(uint64_t value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

// With L bytes x[0..L-1]: a = 1 + sum x[i], b = L + sum (L - i) x[i].
__global__ void checksum(int64_t bytes, int chunk, int chunks, const uint8_t* data, uint32_t* sums) {
    int k = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (k >= chunks) return;  // a whole warp
    const uint8_t* x = data + (int64_t)k * chunk;
    int length = (int)min((int64_t)chunk, bytes - (int64_t)k * chunk);
    uint32_t plain = 0;
    uint64_t weighted = 0;
    for (int i = lane; i < length; i += 32) {
        plain += x[i];
        weighted += (uint64_t)(length - i) * x[i];
    }
    uint64_t a = 1 + warp_sum(plain), b = length + warp_sum(weighted);
    if (lane == 0) sums[k] = (uint32_t)(b % kPrime) << 16 | (uint32_t)(a % kPrime);
}

extern "C" void chunk_checksums(long long bytes, int chunk, const uint8_t* data, uint32_t* sums) {
    int chunks = (int)((bytes + chunk - 1) / chunk);
    checksum<<<(chunks + 7) / 8, 256>>>(bytes, chunk, chunks, data, sums);
}
