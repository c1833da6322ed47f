#include <algorithm>
#include <cstdint>

void range_minima(int n, int queries, int32_t limit, const int32_t* series, const int32_t* from, const int32_t* to, int32_t* lowest, int32_t* value, int32_t* short_ones)
{
    (void)n;
    *short_ones = 0;
    for (int q = 0; q < queries; ++q) {
        const auto [low, high] = std::minmax(from[q], to[q]);
        const int32_t* found = std::min_element(series + low, series + high + 1);
        lowest[q] = (int32_t)(found - series);
        value[q] = *found;
        *short_ones += high - low <= limit;
    }
}
