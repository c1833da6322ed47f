// shape: re = n
// shape: im = n
// one thread: 10
// check: n=2; n=16; n=128
// random: n=2^1..8
#include <cmath>
#include <utility>

void fft_stages(float* re, float* im, int n) {
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) {
            std::swap(re[i], re[j]);
            std::swap(im[i], im[j]);
        }
    }
    for (int len = 2; len <= n; len <<= 1) {
        const int half = len / 2;
        const double angle = -2.0 * 3.14159265358979323846 / len;
        for (int base = 0; base < n; base += len) {
            for (int k = 0; k < half; k++) {
                const float c = (float)std::cos(angle * k), s = (float)std::sin(angle * k);
                const int p = base + k, q = p + half;
                const float tr = c * re[q] - s * im[q], ti = c * im[q] + s * re[q];
                re[q] = re[p] - tr;
                im[q] = im[p] - ti;
                re[p] += tr;
                im[p] += ti;
            }
        }
    }
}
