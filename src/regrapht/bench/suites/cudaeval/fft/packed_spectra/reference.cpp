#include <cmath>
#include <vector>

void packed_spectra(int rows, int n, float scale, const float* packed, float* spectrum) {
    const double pi = 3.14159265358979323846;
    std::vector<float> cosine(n + 1), sine(n + 1);
    for (int k = 0; k <= n; ++k) {
        cosine[k] = (float)std::cos(pi * k / n);
        sine[k] = (float)std::sin(pi * k / n);
    }
    const float half = 0.5f * scale;
    for (int r = 0; r < rows; ++r) {
        for (int k = 0; k <= n; ++k) {
            const long here = (long)r * n + k % n, there = (long)r * n + (n - k) % n;
            const float a = packed[2 * here], b = packed[2 * here + 1], c = packed[2 * there], d = packed[2 * there + 1];
            const float even_re = a + c, even_im = b - d;
            const float odd_re = b + d, odd_im = c - a;
            const long out = (long)r * (n + 1) + k;
            spectrum[2 * out] = half * (even_re + cosine[k] * odd_re + sine[k] * odd_im);
            spectrum[2 * out + 1] = half * (even_im + cosine[k] * odd_im - sine[k] * odd_re);
        }
    }
}
