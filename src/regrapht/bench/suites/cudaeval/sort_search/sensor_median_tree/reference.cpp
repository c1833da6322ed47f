#include <algorithm>
#include <cstdint>
#include <cstdlib>

void sensor_median_tree(int ticks, int band, const int32_t* reading, const uint8_t* flags, int32_t* value, int32_t* strikes)
{
    std::fill(strikes, strikes + 5, 0);
    int32_t held = 0;
    for (int t = 0; t < ticks; ++t, reading += 5) {
        int32_t good[5];
        int n = 0;
        for (int s = 0; s < 5; ++s)
            if (!(flags[t] >> s & 1)) good[n++] = reading[s];
        std::sort(good, good + n);
        if (n % 2 == 1) held = good[n / 2];
        else if (n > 0) held = (good[n / 2 - 1] + good[n / 2]) >> 1;
        value[t] = held;
        for (int s = 0; s < 5; ++s)
            if (!(flags[t] >> s & 1) && std::abs(reading[s] - held) > band) ++strikes[s];
    }
}
