#include <cmath>
#include <cstddef>
#include <utility>

struct Amplitude {
    float re, im;
};

static void turn(Amplitude& a, Amplitude& b, float c, float s) {
    const Amplitude old = a;
    a = {c * a.re + s * b.im, c * a.im - s * b.re};
    b = {c * b.re + s * old.im, c * b.im - s * old.re};
}

void qubit_gates(int n, int gates, const int* kind, const int* target, const int* control, const float* angle, Amplitude* state) {
    for (int g = 0; g < gates; ++g) {
        const size_t bit = (size_t)1 << target[g], condition = (size_t)1 << control[g];
        const float phase = kind[g] == 0 ? angle[g] / 2 : angle[g], c = std::cos(phase), s = std::sin(phase);
        for (size_t block = 0; block < (size_t)n; block += 2 * bit) {
            for (size_t i = block; i < block + bit; ++i) {
                Amplitude& a = state[i];
                Amplitude& b = state[i + bit];
                switch (kind[g]) {
                    case 0: turn(a, b, c, s); break;
                    case 1: b = {c * b.re - s * b.im, c * b.im + s * b.re}; break;
                    default:
                        if (i & condition) std::swap(a, b);
                }
            }
        }
    }
}
