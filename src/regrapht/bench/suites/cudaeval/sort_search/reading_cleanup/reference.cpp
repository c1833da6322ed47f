#include <algorithm>
#include <cstdint>
#include <cstdlib>

void reading_cleanup(int meters, int n, int limit, const int16_t* reading, int16_t* clean, int32_t* replaced) {
    for (int m = 0; m < meters; ++m) {
        const int16_t* row = reading + (int64_t)m * n;
        int32_t count = 0;
        for (int t = 0; t < n; ++t) {
            int16_t value = row[t];
            if (t >= 2 && t + 2 < n) {
                int16_t around[5] = {row[t - 2], row[t - 1], row[t], row[t + 1], row[t + 2]};
                std::nth_element(around, around + 2, around + 5);
                if (std::abs(around[2] - value) > limit) {
                    value = around[2];
                    ++count;
                }
            }
            clean[(int64_t)m * n + t] = value;
        }
        replaced[m] = count;
    }
}
