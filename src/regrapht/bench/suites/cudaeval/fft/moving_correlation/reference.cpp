#include <cmath>
#include <cstdint>
#include <numeric>

struct Moments {
    int64_t sum = 0, squares = 0;
    void add(int64_t v) { sum += v; squares += v * v; }
    void drop(int64_t v) { sum -= v; squares -= v * v; }
    int64_t spread(int64_t m) const { return m * squares - sum * sum; }
};

void moving_correlation(int channels, int n, int m, const int16_t* x, const int16_t* pattern, float* score, int32_t* best)
{
    Moments own;
    for (int k = 0; k < m; ++k) own.add(pattern[k]);
    for (int c = 0; c < channels; ++c) {
        const int16_t* row = x + (long)c * n;
        Moments window;
        for (int k = 0; k + 1 < m; ++k) window.add(row[k]);
        int64_t most = INT64_MIN;
        for (int lag = 0; lag + m <= n; ++lag) {
            window.add(row[lag + m - 1]);
            const int64_t products = std::inner_product(pattern, pattern + m, row + lag, int64_t{0});
            const int64_t dot = m * products - window.sum * own.sum;
            const double scale = (double)window.spread(m) * (double)own.spread(m);
            *score++ = scale > 0 ? (float)(dot / std::sqrt(scale)) : 0.0f;
            if (dot > most) {
                most = dot;
                best[c] = lag;
            }
            window.drop(row[lag]);
        }
    }
}
