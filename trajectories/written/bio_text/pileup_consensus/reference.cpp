// Pileup of gapless reads, and the consensus of each position.
#include <cstddef>
#include <cstdint>

void pileup_consensus(int reads, int length, int genome, const int* start, const uint8_t* base, const uint8_t* quality,
                      uint32_t* pileup, uint8_t* consensus) {
    for (size_t i = 0; i < 4 * (size_t)genome; ++i) pileup[i] = 0;
    for (int r = 0; r < reads; ++r) {
        uint32_t* column = pileup + 4 * (size_t)start[r];
        for (int k = 0; k < length; ++k, column += 4, ++base, ++quality)
            if (*base < 4) column[*base] += *quality;
    }
    for (int g = 0; g < genome; ++g) {
        const uint32_t* sum = pileup + 4 * (size_t)g;
        uint8_t best = 4;
        uint32_t most = 0;
        for (int b = 0; b < 4; ++b)
            if (sum[b] > most) {
                most = sum[b];
                best = (uint8_t)b;
            }
        consensus[g] = best;
    }
}
