// FFT of each pulse, product with the filter, inverse FFT.
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

static void fft(int n, float* x, const std::vector<float>& turn, float direction) {
    for (int i = 1, j = 0; i < n; ++i) {
        int bit = n / 2;
        for (; j & bit; bit /= 2) j ^= bit;
        j ^= bit;
        if (i < j) {
            std::swap(x[2 * i], x[2 * j]);
            std::swap(x[2 * i + 1], x[2 * j + 1]);
        }
    }
    for (int half = 1; half < n; half *= 2) {
        for (int start = 0; start < n; start += 2 * half) {
            for (int k = 0; k < half; ++k) {
                float c = turn[2 * (k * (n / 2 / half))], s = direction * turn[2 * (k * (n / 2 / half)) + 1];
                float* a = x + 2 * (start + k);
                float* b = a + 2 * half;
                float re = b[0] * c - b[1] * s, im = b[0] * s + b[1] * c;
                b[0] = a[0] - re;
                b[1] = a[1] - im;
                a[0] += re;
                a[1] += im;
            }
        }
    }
}

void range_compress(int pulses, int n, const float* echo, const float* filter, float* out) {
    std::vector<float> turn(n + 2);
    for (int k = 0; 2 * k < n; ++k) {
        turn[2 * k] = (float)std::cos(6.283185307179586 * k / n);
        turn[2 * k + 1] = (float)std::sin(6.283185307179586 * k / n);
    }
    for (int pulse = 0; pulse < pulses; ++pulse) {
        float* row = out + (size_t)pulse * n * 2;
        for (int i = 0; i < 2 * n; ++i) row[i] = echo[(size_t)pulse * n * 2 + i];
        fft(n, row, turn, -1.0f);
        for (int i = 0; i < n; ++i) {
            float re = row[2 * i], im = row[2 * i + 1];
            row[2 * i] = (re * filter[2 * i] - im * filter[2 * i + 1]) / n;
            row[2 * i + 1] = (re * filter[2 * i + 1] + im * filter[2 * i]) / n;
        }
        fft(n, row, turn, 1.0f);
    }
}
