#include <algorithm>

struct Sample {
    float re, im;
};

void matched_echo(int pulses, int samples, int taps, const Sample* shape, const Sample* echo, Sample* filtered)
{
    for (int p = 0; p < pulses; ++p) {
        const Sample* in = echo + (long)p * samples;
        for (int n = 0; n < samples; ++n) {
            Sample sum{0.0f, 0.0f};
            for (int k = 0; k < std::min(taps, samples - n); ++k) {
                sum.re += shape[k].re * in[n + k].re + shape[k].im * in[n + k].im;
                sum.im += shape[k].re * in[n + k].im - shape[k].im * in[n + k].re;
            }
            filtered[(long)p * samples + n] = sum;
        }
    }
}
