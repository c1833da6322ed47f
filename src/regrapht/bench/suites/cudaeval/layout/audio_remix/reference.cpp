#include <cstdint>

// Brings the channels of interleaved sound into another order, each with a gain; a negative source means silence.
void audio_remix(long long frames, int inputs, int outputs, const int16_t* sound, const int32_t* source, const int32_t* gain,
                 int16_t* mixed) {
    for (long long t = 0; t < frames; ++t) {
        for (int o = 0; o < outputs; ++o) {
            int32_t sample = 0;
            if (source[o] >= 0) {
                sample = (sound[t * inputs + source[o]] * gain[o] + 2048) >> 12;
                if (sample > 32767) sample = 32767;
                if (sample < -32768) sample = -32768;
            }
            mixed[t * outputs + o] = (int16_t)sample;
        }
    }
}
