#include <algorithm>
#include <cstdint>
#include <vector>

static const int kPercent[7] = {1, 5, 25, 50, 75, 95, 99};

void row_percentiles(int rows, int n, const uint16_t* sample, uint16_t* level, int32_t* spread) {
    std::vector<uint16_t> sorted(n);
    while (rows-- > 0) {
        std::copy(sample, sample + n, sorted.begin());
        auto from = sorted.begin();
        for (int percent : kPercent) {
            const auto at = sorted.begin() + (int64_t)(n - 1) * percent / 100;
            std::nth_element(from, at, sorted.end());
            from = at;
            *level++ = *at;
        }
        std::fill(spread, spread + 256, 0);
        for (int i = 0; i < n; ++i) ++spread[*sample++ >> 8];
        spread += 256;
    }
}
