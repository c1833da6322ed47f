#include <cstddef>

// Welch's cross spectrum and magnitude-squared coherence from the transforms of the segments, (re, im) after (re, im).
void coherence_bins(int pairs, int segments, int bins, const float* left, const float* right, float* cross, float* coherence) {
    for (int p = 0; p < pairs; ++p) {
        for (int k = 0; k < bins; ++k) {
            double re = 0.0, im = 0.0, power_left = 0.0, power_right = 0.0;
            for (int s = 0; s < segments; ++s) {
                const size_t at = 2 * (((size_t)p * segments + s) * bins + k);
                const double a = left[at], b = left[at + 1], c = right[at], d = right[at + 1];
                re += a * c + b * d;
                im += a * d - b * c;
                power_left += a * a + b * b;
                power_right += c * c + d * d;
            }
            const size_t bin = (size_t)p * bins + k;
            cross[2 * bin] = (float)(re / segments);
            cross[2 * bin + 1] = (float)(im / segments);
            const double product = power_left * power_right;
            coherence[bin] = product > 0.0 ? (float)((re * re + im * im) / product) : 0.0f;
        }
    }
}
