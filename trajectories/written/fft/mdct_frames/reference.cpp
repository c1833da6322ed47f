// Windowed MDCT of overlapping frames, straight from the definition with a table of cosines.
#include <cmath>
#include <cstddef>
#include <vector>

void mdct_frames(int frames, int n, const float* window, const float* signal, float* out) {
    std::vector<float> cosine(8 * n);
    for (int m = 0; m < 8 * n; ++m) cosine[m] = (float)std::cos(3.14159265358979323846 * m / (4.0 * n));
    for (int frame = 0; frame < frames; ++frame) {
        const float* x = signal + (size_t)frame * n;
        for (int k = 0; k < n; ++k) {
            float sum = 0.0f;
            for (int i = 0; i < 2 * n; ++i) {
                int m = (int)((long long)(2 * i + 1 + n) * (2 * k + 1) % (8 * n));
                sum += window[i] * x[i] * cosine[m];
            }
            out[(size_t)frame * n + k] = sum;
        }
    }
}
