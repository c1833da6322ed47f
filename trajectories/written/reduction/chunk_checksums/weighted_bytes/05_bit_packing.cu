// Chunk checksums: a warp for each chunk; four bytes in each dot-product instruction.
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
    int pieces = reinterpret_cast<uintptr_t>(x) % 16 == 0 ? length / 16 : 0;
    for (int p = lane; p < pieces; p += 32) {
        uint4 piece = reinterpret_cast<const uint4*>(x)[p];
        uint32_t words[4] = {piece.x, piece.y, piece.z, piece.w};
        uint32_t here = 0, behind = 0;  // sum of the piece, and of its bytes times their place in it
#pragma unroll
        for (int w = 0; w < 4; ++w) {
            here = __dp4a(words[w], 0x01010101u, here);
            behind = __dp4a(words[w], 0x03020100u + 0x04040404u * w, behind);
        }
        plain += here;
        weighted += (uint64_t)(length - 16 * p) * here - behind;
    }
    for (int i = 16 * pieces + lane; i < length; i += 32) {
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
