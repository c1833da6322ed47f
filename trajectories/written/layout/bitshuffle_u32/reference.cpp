// Difference and bit shuffle of groups of 32 samples.
#include <cstddef>
#include <cstdint>

void bitshuffle_u32(int n, const uint32_t* samples, uint32_t* planes) {
    for (size_t base = 0; base < (size_t)n; base += 32) {
        uint32_t* plane = planes + base;
        for (int b = 0; b < 32; ++b) plane[b] = 0;
        uint32_t previous = 0;
        for (int j = 0; j < 32 && base + j < (size_t)n; ++j) {
            uint32_t difference = samples[base + j] - previous;
            previous = samples[base + j];
            for (int b = 0; difference != 0; ++b, difference >>= 1) plane[b] |= (difference & 1u) << j;
        }
    }
}
