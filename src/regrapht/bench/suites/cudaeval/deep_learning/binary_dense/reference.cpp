#include <cstdint>
#include <vector>

static int agreements(const uint32_t* a, const uint32_t* b, int words)
{
    int count = 0;
    for (int k = 0; k < words; ++k) count += __builtin_popcount(~(a[k] ^ b[k]));
    return count;
}

void binary_dense(int batch, int units, int words, const uint32_t* x, const uint32_t* w, const int32_t* threshold, const uint8_t* flip, uint32_t* fired,
                  int32_t* units_fired)
{
    const int packed = (units + 31) / 32;
    std::vector<bool> fires(units);
    for (int b = 0; b < batch; ++b) {
        units_fired[b] = 0;
        for (int u = 0; u < units; ++u) {
            const int dot = 2 * agreements(x + (long)b * words, w + (long)u * words, words) - 32 * words;
            fires[u] = (flip[u] ? -dot : dot) >= threshold[u];
            units_fired[b] += fires[u];
        }
        for (int p = 0; p < packed; ++p) {
            uint32_t word = 0;
            for (int u = 32 * p; u < units && u < 32 * p + 32; ++u) word |= (uint32_t)fires[u] << u % 32;
            fired[(long)b * packed + p] = word;
        }
    }
}
