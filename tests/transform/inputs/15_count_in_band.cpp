#include <cstddef>
#include <cstdint>

// How many readings lie in the closed band from `low` to `high`.
int64_t count_in_band(size_t n, const uint16_t* readings, uint16_t low, uint16_t high)
{
    int64_t inside = 0;
    const uint16_t* p = readings;
    while (n-- > 0) {
        const uint16_t v = *p++;
        if (v < low) continue;
        if (v > high) continue;
        ++inside;
    }
    return inside;
}
