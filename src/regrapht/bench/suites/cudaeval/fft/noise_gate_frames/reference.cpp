#include <algorithm>
#include <cmath>

constexpr int kFrame = 64, kHop = 32, kBins = 33;

void noise_gate_frames(int frames, float least, const float* samples, const float* noise, float* cleaned) {
    const double pi = 3.14159265358979323846;
    float window[kFrame], cosine[kFrame], sine[kFrame];
    for (int i = 0; i < kFrame; ++i) {
        window[i] = (float)std::sin(pi * (i + 0.5) / kFrame);
        cosine[i] = (float)std::cos(2.0 * pi * i / kFrame);
        sine[i] = (float)std::sin(2.0 * pi * i / kFrame);
    }
    for (int i = 0; i < kHop * (frames + 1); ++i) cleaned[i] = 0.0f;
    for (int f = 0; f < frames; ++f) {
        float re[kBins], im[kBins];
        for (int k = 0; k < kBins; ++k) {
            float a = 0.0f, b = 0.0f;
            for (int i = 0; i < kFrame; ++i) {
                const float x = window[i] * samples[f * kHop + i];
                a += x * cosine[i * k % kFrame];
                b -= x * sine[i * k % kFrame];
            }
            const float gain = std::max(least, 1.0f - noise[k] / std::max(a * a + b * b, 1e-20f));
            re[k] = gain * a;
            im[k] = gain * b;
        }
        for (int i = 0; i < kFrame; ++i) {
            float sum = re[0] + (i % 2 ? -re[kFrame / 2] : re[kFrame / 2]);
            for (int k = 1; k < kFrame / 2; ++k) sum += 2.0f * (re[k] * cosine[i * k % kFrame] - im[k] * sine[i * k % kFrame]);
            cleaned[f * kHop + i] += window[i] * sum / kFrame;
        }
    }
}
