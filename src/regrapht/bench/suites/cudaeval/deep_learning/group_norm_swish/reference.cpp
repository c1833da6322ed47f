#include <cmath>
#include <cstddef>
#include <numeric>

void group_norm_swish(int batch, int groups, int per, int pixels, float eps, const float* gain, const float* bias, const float* x, float* y)
{
    const std::ptrdiff_t size = (std::ptrdiff_t)per * pixels;
    for (int b = 0; b < batch; ++b) {
        for (int g = 0; g < groups; ++g, x += size, y += size) {
            const double mean = std::accumulate(x, x + size, 0.0) / size;
            const double variance = std::accumulate(x, x + size, 0.0, [=](double sum, float v) { return sum + (v - mean) * (v - mean); }) / size;
            const double share = 1 / std::sqrt(variance + eps);
            for (std::ptrdiff_t i = 0; i < size; ++i) {
                const int c = g * per + int(i / pixels);
                const double v = (x[i] - mean) * share * gain[c] + bias[c];
                y[i] = float(v / (1 + std::exp(-v)));
            }
        }
    }
}
