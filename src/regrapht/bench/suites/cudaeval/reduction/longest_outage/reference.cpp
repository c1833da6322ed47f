#include <cstdint>

struct Outage {
    int32_t start;
    int32_t length;
};

// The longest stretch of each channel below its limit; the first of several equally long ones, start -1 without any.
void longest_outage(int channels, int samples, const int16_t* level, const int16_t* limit, Outage* outage) {
    for (int c = 0; c < channels; ++c) {
        const int16_t* row = level + (int64_t)c * samples;
        Outage best = {-1, 0};
        int t = 0;
        while (t < samples) {
            if (row[t] >= limit[c]) {
                ++t;
                continue;
            }
            const int begin = t;
            while (t < samples && row[t] < limit[c]) ++t;
            if (t - begin > best.length) {
                best.start = begin;
                best.length = t - begin;
            }
        }
        outage[c] = best;
    }
}
