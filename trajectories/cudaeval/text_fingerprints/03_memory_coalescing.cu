// Fingerprints: each lane loads and hashes a word of its own, and the lanes show them round.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;

__device__ uint32_t hashed(uint32_t word) {
    uint32_t h = word * 2654435769u;
    h ^= h >> 15;
    h *= 2246822519u;
    return h ^ h >> 13;
}

__global__ void vote(int documents, const int32_t* __restrict__ start, const uint32_t* __restrict__ word,
                     const uint8_t* __restrict__ weight, uint32_t* __restrict__ fingerprint) {
    const int d = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (d >= documents) return;
    const int end = start[d + 1];
    int votes = 0;
    for (int first = start[d]; first < end; first += 32) {
        const bool inside = first + lane < end;
        const uint32_t h = inside ? hashed(word[first + lane]) : 0;
        const int w = inside ? weight[first + lane] : 0;
        for (int k = 0; k < 32; ++k) {
            const int heavy = __shfl_sync(kAll, w, k);
            votes += (__shfl_sync(kAll, h, k) >> lane & 1) != 0 ? heavy : -heavy;
        }
    }
    const unsigned bits = __ballot_sync(kAll, votes > 0);
    if (lane == 0) fingerprint[d] = bits;
}

extern "C" void text_fingerprints(int words, int documents, const int32_t* start, const uint32_t* word, const uint8_t* weight,
                                  uint32_t* fingerprint) {
    vote<<<(documents - 1) / 4 + 1, 128>>>(documents, start, word, weight, fingerprint);
}
