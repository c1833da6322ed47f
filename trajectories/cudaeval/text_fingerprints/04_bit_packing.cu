// Fingerprints: 32 hashes are turned so that a lane holds its bit of all of them, and weights are added bit by bit.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;

__device__ uint32_t hashed(uint32_t word) {
    uint32_t h = word * 2654435769u;
    h ^= h >> 15;
    h *= 2246822519u;
    return h ^ h >> 13;
}

// Exchanges bits between two lanes: `mask` has the bits that lanes without `apart` in their number keep.
__device__ uint32_t exchanged(uint32_t mine, int apart, uint32_t mask) {
    const uint32_t theirs = __shfl_xor_sync(kAll, mine, apart);
    return (threadIdx.x & apart) == 0 ? (mine & mask) | (theirs & mask) << apart : (mine & ~mask) | (theirs & ~mask) >> apart;
}

// Bit k of the result in lane b is bit b of lane k's value.
__device__ uint32_t turned(uint32_t mine) {
    mine = exchanged(mine, 16, 0x0000ffffu);
    mine = exchanged(mine, 8, 0x00ff00ffu);
    mine = exchanged(mine, 4, 0x0f0f0f0fu);
    mine = exchanged(mine, 2, 0x33333333u);
    return exchanged(mine, 1, 0x55555555u);
}

__global__ void vote(int documents, const int32_t* __restrict__ start, const uint32_t* __restrict__ word,
                     const uint8_t* __restrict__ weight, uint32_t* __restrict__ fingerprint) {
    const int d = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (d >= documents) return;
    const int end = start[d + 1];
    int votes = 0;
    for (int first = start[d]; first < end; first += 32) {
        const bool inside = first + lane < end;
        const uint32_t mine = turned(inside ? hashed(word[first + lane]) : 0);
        const int w = inside ? weight[first + lane] : 0;
        for (int j = 0; j < 4; ++j) {
            const uint32_t heavy = __ballot_sync(kAll, w >> j & 1);
            votes += (2 * __popc(mine & heavy) - __popc(heavy)) * (1 << j);
        }
    }
    const unsigned bits = __ballot_sync(kAll, votes > 0);
    if (lane == 0) fingerprint[d] = bits;
}

extern "C" void text_fingerprints(int words, int documents, const int32_t* start, const uint32_t* word, const uint8_t* weight,
                                  uint32_t* fingerprint) {
    vote<<<(documents - 1) / 4 + 1, 128>>>(documents, start, word, weight, fingerprint);
}
