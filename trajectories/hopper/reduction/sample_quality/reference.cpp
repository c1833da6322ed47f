#include <cmath>

// How good an importance sample is: for each run the log of the mean weight, and the effective number of samples.
void sample_quality(int runs, int n, const float* log_weight, float* log_mean, float* effective) {
    for (int r = 0; r < runs; ++r) {
        const float* lw = log_weight + (long long)r * n;
        float top = lw[0];
        for (int i = 1; i < n; ++i) top = std::fmax(top, lw[i]);
        double sum = 0.0, squares = 0.0;
        for (int i = 0; i < n; ++i) {
            const float w = std::exp(lw[i] - top);
            sum += w;
            squares += (double)w * w;
        }
        log_mean[r] = (float)(top + std::log(sum / n));
        effective[r] = (float)(sum * sum / squares);
    }
}
