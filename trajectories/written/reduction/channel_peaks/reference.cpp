#include <cstdint>

// Loudest sample of each channel of an interleaved recording: its magnitude, and the frame where it occurs first.
void channel_peaks(int frames, int channels, const int16_t* audio, int32_t* peak, int32_t* at) {
    for (int c = 0; c < channels; ++c) peak[c] = -1;
    for (int f = 0; f < frames; ++f) {
        const int16_t* frame = audio + (long long)f * channels;
        for (int c = 0; c < channels; ++c) {
            const int32_t loud = frame[c] < 0 ? -(int32_t)frame[c] : frame[c];
            if (loud > peak[c]) {
                peak[c] = loud;
                at[c] = f;
            }
        }
    }
}
