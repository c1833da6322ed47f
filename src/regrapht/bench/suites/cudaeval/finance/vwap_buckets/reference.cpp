#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>

constexpr int kMinutes = 24 * 60;

void vwap_buckets(int trades, int instruments, const int32_t* instrument, const int32_t* millisecond, const int32_t* price, const int32_t* volume,
                  int64_t* traded, int64_t* turnover, int32_t* high, int32_t* low, int32_t* count)
{
    const size_t cells = (size_t)instruments * kMinutes;
    std::fill_n(traded, cells, 0);
    std::fill_n(turnover, cells, 0);
    std::fill_n(high, cells, -1);
    std::fill_n(low, cells, INT_MAX);
    std::fill_n(count, cells, 0);
    for (int t = 0; t < trades; ++t) {
        if (volume[t] == 0) continue;
        const size_t cell = (size_t)instrument[t] * kMinutes + millisecond[t] / 60000;
        traded[cell] += volume[t];
        turnover[cell] += (int64_t)price[t] * volume[t];
        high[cell] = std::max(high[cell], price[t]);
        low[cell] = std::min(low[cell], price[t]);
        ++count[cell];
    }
}
