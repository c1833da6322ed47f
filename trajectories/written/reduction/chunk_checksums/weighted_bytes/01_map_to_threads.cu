// Chunk checksums: a thread for each chunk, byte by byte.
#include <cuda_runtime.h>

#include <cstdint>

constexpr uint32_t kPrime = 65521;

__global__ void checksum(int64_t bytes, int chunk, int chunks, const uint8_t* data, uint32_t* sums) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= chunks) return;
    int64_t begin = (int64_t)k * chunk, end = min(begin + chunk, bytes);
    uint32_t a = 1, b = 0;
    for (int64_t i = begin; i < end; ++i) {
        a = (a + data[i]) % kPrime;
        b = (b + a) % kPrime;
    }
    sums[k] = b << 16 | a;
}

extern "C" void chunk_checksums(long long bytes, int chunk, const uint8_t* data, uint32_t* sums) {
    int chunks = (int)((bytes + chunk - 1) / chunk);
    checksum<<<(chunks + 127) / 128, 128>>>(bytes, chunk, chunks, data, sums);
}
