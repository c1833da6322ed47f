#include <algorithm>
#include <cstdint>

constexpr int kAdapter = 12, kBases = 5;

// Removes the sequencing adapter from the ends of reads, and reports on what is left, cycle by cycle.
void adapter_trim(int reads, int cycles, const uint8_t* base, const uint8_t* quality, const uint8_t* adapter, int32_t* kept,
                  int32_t* lengths, int32_t* composition, int64_t* quality_sum) {
    std::fill(lengths, lengths + cycles + 1, 0);
    std::fill(composition, composition + cycles * kBases, 0);
    std::fill(quality_sum, quality_sum + cycles, (int64_t)0);
    for (int r = 0; r < reads; ++r) {
        const uint8_t* read = base + (int64_t)r * cycles;
        int cut = 0;
        for (; cut < cycles; ++cut) {
            const int overlap = std::min(kAdapter, cycles - cut);
            if (overlap < 3) {
                cut = cycles;
                break;
            }
            int allowed = overlap / 4, k = 0;
            while (k < overlap && allowed >= 0) {
                if (read[cut + k] != adapter[k]) --allowed;
                ++k;
            }
            if (allowed >= 0) break;
        }
        kept[r] = cut;
        ++lengths[cut];
        for (int c = 0; c < cut; ++c) {
            ++composition[c * kBases + read[c]];
            quality_sum[c] += quality[(int64_t)r * cycles + c];
        }
    }
}
