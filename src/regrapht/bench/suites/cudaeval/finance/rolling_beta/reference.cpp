#include <cmath>
#include <cstdint>

// Regression of each asset's daily returns on the market's over a moving window of days.
void rolling_beta(int assets, int days, int window, const int16_t* asset, const int16_t* market, float* beta, float* correlation,
                  float* spread) {
    const int windows = days - window + 1;
    for (int a = 0; a < assets; ++a) {
        const int16_t* own = asset + (int64_t)a * days;
        float lowest = INFINITY, highest = -INFINITY;
        for (int t = 0; t < windows; ++t) {
            int32_t x = 0, m = 0, xx = 0, xm = 0, mm = 0;
            for (int k = t; k < t + window; ++k) {
                x += own[k];
                m += market[k];
                xx += own[k] * own[k];
                xm += own[k] * market[k];
                mm += market[k] * market[k];
            }
            const int64_t shared = (int64_t)window * xm - (int64_t)x * m;
            const int64_t risk = (int64_t)window * xx - (int64_t)x * x, base = (int64_t)window * mm - (int64_t)m * m;
            const float slope = base > 0 ? (float)((double)shared / (double)base) : 0.0f;
            beta[(int64_t)a * windows + t] = slope;
            correlation[(int64_t)a * windows + t] =
                base > 0 && risk > 0 ? (float)((double)shared / std::sqrt((double)risk * (double)base)) : 0.0f;
            if (slope < lowest) lowest = slope;
            if (slope > highest) highest = slope;
        }
        spread[a] = highest - lowest;
    }
}
