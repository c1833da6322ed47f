// Goertzel recurrences: the power of each tone in each channel.
#include <cstddef>

void tone_power(int channels, int n, int tones, const float* coefficient, const short* samples, float* power) {
    for (int channel = 0; channel < channels; ++channel) {
        const short* x = samples + (size_t)channel * n;
        for (int tone = 0; tone < tones; ++tone) {
            const float c = coefficient[tone];
            float s1 = 0.0f, s2 = 0.0f;
            for (int i = 0; i < n; ++i) {
                float s = x[i] * (1.0f / 32768.0f) + c * s1 - s2;
                s2 = s1;
                s1 = s;
            }
            power[(size_t)channel * tones + tone] = s1 * s1 + s2 * s2 - c * s1 * s2;
        }
    }
}
