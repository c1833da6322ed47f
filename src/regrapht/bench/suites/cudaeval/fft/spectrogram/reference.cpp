#include <cmath>
#include <cstdint>

static const int kFrame = 256;

// Power spectra of overlapping windowed frames of a signal: radix-2 transforms after a reordering by reversed bits.
void spectrogram(int frames, int hop, const float* signal, const float* window, float* power) {
    float turn_re[kFrame / 2], turn_im[kFrame / 2];
    for (int m = 0; m < kFrame / 2; ++m) {
        turn_re[m] = std::cos(-0.02454369260617026f * m);
        turn_im[m] = std::sin(-0.02454369260617026f * m);
    }
    float re[kFrame], im[kFrame];
    for (int f = 0; f < frames; ++f) {
        for (int n = 0, target = 0; n < kFrame; ++n) {
            re[target] = signal[(int64_t)f * hop + n] * window[n];
            im[target] = 0.0f;
            int bit = kFrame >> 1;
            while (target & bit) {
                target ^= bit;
                bit >>= 1;
            }
            target |= bit;
        }
        for (int half = 1; half < kFrame; half *= 2) {
            const int stride = kFrame / (2 * half);
            for (int start = 0; start < kFrame; start += 2 * half) {
                for (int k = 0; k < half; ++k) {
                    const int a = start + k, b = a + half;
                    const float c = turn_re[k * stride], s = turn_im[k * stride];
                    const float x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c;
                    re[b] = re[a] - x;
                    im[b] = im[a] - y;
                    re[a] += x;
                    im[a] += y;
                }
            }
        }
        float* out = power + (int64_t)f * (kFrame / 2 + 1);
        for (int k = 0; k <= kFrame / 2; ++k) out[k] = re[k] * re[k] + im[k] * im[k];
    }
}
