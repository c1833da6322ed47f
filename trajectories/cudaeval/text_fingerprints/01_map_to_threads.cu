// Fingerprints: one document a thread.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t hashed(uint32_t word) {
    uint32_t h = word * 2654435769u;
    h ^= h >> 15;
    h *= 2246822519u;
    return h ^ h >> 13;
}

__global__ void vote(int documents, const int32_t* start, const uint32_t* word, const uint8_t* weight, uint32_t* fingerprint) {
    const int d = blockIdx.x * blockDim.x + threadIdx.x;
    if (d >= documents) return;
    int votes[32];
    for (int b = 0; b < 32; ++b) votes[b] = 0;
    for (int t = start[d]; t < start[d + 1]; ++t) {
        const uint32_t h = hashed(word[t]);
        for (int b = 0; b < 32; ++b) votes[b] += (h >> b & 1) != 0 ? weight[t] : -weight[t];
    }
    uint32_t bits = 0;
    for (int b = 0; b < 32; ++b)
        if (votes[b] > 0) bits |= 1u << b;
    fingerprint[d] = bits;
}

extern "C" void text_fingerprints(int words, int documents, const int32_t* start, const uint32_t* word, const uint8_t* weight,
                                  uint32_t* fingerprint) {
    vote<<<(documents - 1) / 64 + 1, 64>>>(documents, start, word, weight, fingerprint);
}
