#include <cmath>

// Forward transforms of 64 complex points each, in place: bit reversal, then six butterfly stages with the twiddles computed as they come.
#define POINTS 64

static int reversed(int k) {
    int r = 0;
    for (int bit = 1; bit < POINTS; bit <<= 1) {
        r <<= 1;
        if (k & bit) r |= 1;
    }
    return r;
}

void fft64_batch(int batch, float* re, float* im) {
    for (int b = 0; b < batch; b++) {
        float* x = re + b * POINTS;
        float* y = im + b * POINTS;
        for (int k = 0; k < POINTS; k++) {
            const int r = reversed(k);
            if (r <= k) continue;
            float t = x[k]; x[k] = x[r]; x[r] = t;
            t = y[k]; y[k] = y[r]; y[r] = t;
        }
        for (int len = 2; len <= POINTS; len *= 2) {
            const double step = -2.0 * 3.14159265358979323846 / len;
            for (int from = 0; from < POINTS; from += len)
                for (int k = 0; k < len / 2; k++) {
                    const float wr = (float)std::cos(step * k), wi = (float)std::sin(step * k);
                    const int p = from + k, q = p + len / 2;
                    const float tr = wr * x[q] - wi * y[q], ti = wr * y[q] + wi * x[q];
                    x[q] = x[p] - tr; y[q] = y[p] - ti;
                    x[p] += tr; y[p] += ti;
                }
        }
    }
}
