#include <algorithm>
#include <cstdint>

static int number_of(uint8_t base) {
    switch (base) {
        case 'A': return 0;
        case 'C': return 1;
        case 'G': return 2;
        case 'T': return 3;
        default: return -1;
    }
}

void codon_usage(int bases, int genes, const int32_t* start, const uint8_t* base, int32_t* usage, int32_t* odd) {
    (void)bases;
    for (int g = 0; g < genes; ++g, usage += 64) {
        std::fill(usage, usage + 64, 0);
        odd[g] = 0;
        for (int at = start[g]; at + 3 <= start[g + 1]; at += 3) {
            const int a = number_of(base[at]), b = number_of(base[at + 1]), c = number_of(base[at + 2]);
            if (a < 0 || b < 0 || c < 0)
                ++odd[g];
            else
                ++usage[16 * a + 4 * b + c];
        }
    }
}
