#include <array>
#include <cstdint>

using Counts = std::array<int64_t, 256>;

static Counts cumulative(int pixels, const uint8_t* picture)
{
    Counts counts{};
    for (int i = 0; i < pixels; ++i) ++counts[picture[i]];
    for (int g = 1; g < 256; ++g) counts[g] += counts[g - 1];
    return counts;
}

void tone_match(int source_pixels, int target_pixels, const uint8_t* source, const uint8_t* target, uint8_t* table, uint8_t* matched)
{
    const Counts from = cumulative(source_pixels, source), to = cumulative(target_pixels, target);
    int t = 0;
    for (int g = 0; g < 256; ++g) {
        while (t < 255 && to[t] * source_pixels < from[g] * target_pixels) ++t;
        table[g] = (uint8_t)t;
    }
    for (int i = 0; i < source_pixels; ++i) matched[i] = table[source[i]];
}
