#include <cmath>
#include <cstddef>
#include <vector>

static const int kShares = 8;

void worst_of_basket(int paths, int options, const float* z, const float* factor, const float* drift, const float* volatility,
                     const float* strike, float* price) {
    std::vector<double> sum(options, 0.0);
    for (int p = 0; p < paths; ++p) {
        float worst = INFINITY;
        const float* row = factor;
        for (int i = 0; i < kShares; ++i) {
            float correlated = 0;
            for (int j = 0; j <= i; ++j) correlated += row[j] * z[(size_t)p * kShares + j];
            row += i + 1;
            worst = std::fmin(worst, std::exp(drift[i] + volatility[i] * correlated));
        }
        for (int k = 0; k < options; ++k) {
            if (strike[k] > worst) sum[k] += strike[k] - worst;
        }
    }
    for (int k = 0; k < options; ++k) price[k] = (float)(sum[k] / paths);
}
