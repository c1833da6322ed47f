#include <cstdint>

// Number of differing bits between every pair of fingerprints, each of `words` 64-bit words; bits are counted by clearing the lowest.
void hamming_matrix(int na, int nb, int words, const uint64_t* a, const uint64_t* b, uint16_t* distance) {
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++) {
            int bits = 0;
            for (int w = 0; w < words; w++) {
                uint64_t rest = a[i * words + w] ^ b[j * words + w];
                while (rest) {
                    rest &= rest - 1;
                    bits++;
                }
            }
            distance[i * nb + j] = (uint16_t)bits;
        }
}
