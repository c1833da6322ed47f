#include <cmath>
#include <cstdint>

static const int kChannels = 32, kTaps = 8;

// Polyphase filter bank: a short filter for each branch, then a discrete Fourier transform across the branches.
void channelizer(int frames, const float* signal, const float* prototype, float* out) {
    float turn[2 * kChannels];
    for (int k = 0; k < kChannels; ++k) {
        turn[2 * k] = (float)std::cos(0.19634954084936207 * k);
        turn[2 * k + 1] = (float)-std::sin(0.19634954084936207 * k);
    }
    float branch[2 * kChannels];
    for (int f = 0; f < frames; ++f) {
        const float* in = signal + (int64_t)f * kChannels * 2;
        for (int m = 0; m < kChannels; ++m) {
            branch[2 * m] = branch[2 * m + 1] = 0.0f;
            for (int t = 0; t < kTaps; ++t) {
                branch[2 * m] += prototype[t * kChannels + m] * in[2 * (t * kChannels + m)];
                branch[2 * m + 1] += prototype[t * kChannels + m] * in[2 * (t * kChannels + m) + 1];
            }
        }
        for (int c = 0; c < kChannels; ++c) {
            float re = 0.0f, im = 0.0f;
            for (int m = 0; m < kChannels; ++m) {
                const float* w = turn + 2 * (c * m % kChannels);
                re += branch[2 * m] * w[0] - branch[2 * m + 1] * w[1];
                im += branch[2 * m] * w[1] + branch[2 * m + 1] * w[0];
            }
            out[((int64_t)f * kChannels + c) * 2] = re;
            out[((int64_t)f * kChannels + c) * 2 + 1] = im;
        }
    }
}
