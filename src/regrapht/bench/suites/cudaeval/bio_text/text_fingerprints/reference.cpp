#include <cstdint>

void text_fingerprints(int words, int documents, const int32_t* start, const uint32_t* word, const uint8_t* weight, uint32_t* fingerprint) {
    (void)words;
    for (int d = 0; d < documents; ++d) {
        int32_t votes[32] = {};
        for (int t = start[d]; t < start[d + 1]; ++t) {
            uint32_t h = word[t] * 2654435769u;
            h ^= h >> 15;
            h *= 2246822519u;
            h ^= h >> 13;
            for (int b = 0; b < 32; ++b) votes[b] += (h >> b & 1u) != 0 ? weight[t] : -weight[t];
        }
        uint32_t bits = 0;
        for (int b = 0; b < 32; ++b)
            if (votes[b] > 0) bits |= 1u << b;
        fingerprint[d] = bits;
    }
}
