// Discrete Fourier transform by definition; j * k is reduced modulo n first so that the angle stays accurate.
#include <cmath>

void dft(int n, const float* in_re, const float* in_im, float* out_re, float* out_im) {
    const float step = -6.283185307179586f / n;
    for (int k = 0; k < n; ++k) {
        float re = 0.0f, im = 0.0f;
        for (int j = 0; j < n; ++j) {
            float angle = step * (int)((long long)j * k % n);
            float c = std::cos(angle), s = std::sin(angle);
            re += in_re[j] * c - in_im[j] * s;
            im += in_re[j] * s + in_im[j] * c;
        }
        out_re[k] = re;
        out_im[k] = im;
    }
}
