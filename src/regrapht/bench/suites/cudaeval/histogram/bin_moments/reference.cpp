#include <cstdint>

void bin_moments(int n, int bins, const uint16_t* bin, const int32_t* value, int32_t* count, int64_t* sum, int64_t* squares) {
    for (int b = 0; b < bins; ++b) {
        count[b] = 0;
        sum[b] = 0;
        squares[b] = 0;
    }
    for (int i = 0; i < n; ++i) {
        count[bin[i]] += 1;
        sum[bin[i]] += value[i];
        squares[bin[i]] += (int64_t)value[i] * value[i];
    }
}
