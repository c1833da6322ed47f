// Fingerprints: one document a warp, one bit a lane.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;

__device__ uint32_t hashed(uint32_t word) {
    uint32_t h = word * 2654435769u;
    h ^= h >> 15;
    h *= 2246822519u;
    return h ^ h >> 13;
}

__global__ void vote(int documents, const int32_t* start, const uint32_t* word, const uint8_t* weight, uint32_t* fingerprint) {
    const int d = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (d >= documents) return;
    int votes = 0;
    for (int t = start[d]; t < start[d + 1]; ++t) votes += (hashed(word[t]) >> lane & 1) != 0 ? weight[t] : -weight[t];
    const unsigned bits = __ballot_sync(kAll, votes > 0);
    if (lane == 0) fingerprint[d] = bits;
}

extern "C" void text_fingerprints(int words, int documents, const int32_t* start, const uint32_t* word, const uint8_t* weight,
                                  uint32_t* fingerprint) {
    vote<<<(documents - 1) / 4 + 1, 128>>>(documents, start, word, weight, fingerprint);
}
