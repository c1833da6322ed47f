#include <cstddef>
#include <cstdint>
#include <cstdlib>

void pcm24_planes(int frames, int channels, const uint8_t* sound, float* plane, int32_t* peak) {
    for (int c = 0; c < channels; ++c) peak[c] = 0;
    for (int t = 0; t < frames; ++t) {
        for (int c = 0; c < channels; ++c, sound += 3) {
            int32_t sample = sound[0] | sound[1] << 8 | sound[2] << 16;
            if (sample >= 1 << 23) sample -= 1 << 24;
            if (std::abs(sample) > peak[c]) peak[c] = std::abs(sample);
            plane[(size_t)c * frames + t] = (float)sample / 8388608.0f;
        }
    }
}
