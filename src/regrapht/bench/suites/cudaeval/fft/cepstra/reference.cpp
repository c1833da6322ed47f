#include <algorithm>
#include <cmath>
#include <vector>

const int kFrame = 128, kHop = 64, kBands = 16, kKept = 8;

// Edges of the bands, in steps of the spectrum: narrow for low tones, wide for high ones.
static const int kEdge[kBands + 2] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 27, 33, 40, 48, 56, 64};

void cepstra(int frames, const short* samples, float* feature) {
    const double pi = 3.14159265358979323846;
    float turn_re[kFrame], turn_im[kFrame], taper[kFrame];
    for (int i = 0; i < kFrame; ++i) {
        turn_re[i] = (float)std::cos(2.0 * pi * i / kFrame);
        turn_im[i] = (float)-std::sin(2.0 * pi * i / kFrame);
        taper[i] = (float)(0.54 - 0.46 * std::cos(2.0 * pi * i / (kFrame - 1)));
    }
    std::vector<float> loudness(frames * kBands);
    for (int f = 0; f < frames; ++f) {
        float frame[kFrame], power[kFrame / 2 + 1];
        for (int i = 0; i < kFrame; ++i) {
            const int at = f * kHop + i;
            const float before = at > 0 ? (float)samples[at - 1] : 0.0f;
            frame[i] = taper[i] * ((float)samples[at] - 0.97f * before);
        }
        for (int k = 0; k <= kFrame / 2; ++k) {
            float re = 0.0f, im = 0.0f;
            for (int i = 0; i < kFrame; ++i) {
                re += frame[i] * turn_re[i * k % kFrame];
                im += frame[i] * turn_im[i * k % kFrame];
            }
            power[k] = re * re + im * im;
        }
        for (int b = 0; b < kBands; ++b) {
            float sum = 0.0f;
            for (int k = kEdge[b]; k < kEdge[b + 1]; ++k) sum += power[k] * (float)(k - kEdge[b]) / (float)(kEdge[b + 1] - kEdge[b]);
            for (int k = kEdge[b + 1]; k < kEdge[b + 2]; ++k) {
                sum += power[k] * (float)(kEdge[b + 2] - k) / (float)(kEdge[b + 2] - kEdge[b + 1]);
            }
            loudness[f * kBands + b] = std::log(sum + 1.0f);
        }
    }
    for (int f = 0; f < frames; ++f) {
        float kept[kKept];
        for (int c = 0; c < kKept; ++c) {
            kept[c] = 0.0f;
            for (int b = 0; b < kBands; ++b) kept[c] += loudness[f * kBands + b] * (float)std::cos(pi * c * (b + 0.5) / kBands);
            feature[2 * kKept * f + c] = kept[c];
        }
        // How each changes from the frame before to the one after; at the ends the frame itself stands in.
        const int before = std::max(f - 1, 0), after = std::min(f + 1, frames - 1);
        for (int c = 0; c < kKept; ++c) {
            float change = 0.0f;
            for (int b = 0; b < kBands; ++b) {
                change += (loudness[after * kBands + b] - loudness[before * kBands + b]) * (float)std::cos(pi * c * (b + 0.5) / kBands);
            }
            feature[2 * kKept * f + kKept + c] = 0.5f * change;
        }
    }
}
