#include <cmath>
#include <cstddef>

namespace {
constexpr int kChannels = 16;
constexpr float kRidge = 0.25f;

struct Whitener {
    float mean[kChannels] = {};
    float factor[kChannels][kChannels] = {};  // lower triangle

    void measure(const float* data, int samples) {
        for (int t = 0; t < samples; ++t)
            for (int c = 0; c < kChannels; ++c) mean[c] += data[(size_t)t * kChannels + c];
        for (float& m : mean) m /= samples;
        for (int i = 0; i < kChannels; ++i) {
            for (int j = 0; j <= i; ++j) {
                float sum = 0.0f;
                for (const float* x = data; x != data + (size_t)samples * kChannels; x += kChannels)
                    sum += (x[i] - mean[i]) * (x[j] - mean[j]);
                factor[i][j] = sum / samples;
            }
            factor[i][i] += kRidge;
        }
    }

    float factorise() {
        float log_det = 0.0f;
        for (int k = 0; k < kChannels; ++k) {
            const float root = std::sqrt(factor[k][k]);
            log_det += 2.0f * std::log(root);
            factor[k][k] = root;
            for (int i = k + 1; i < kChannels; ++i) factor[i][k] /= root;
            for (int j = k + 1; j < kChannels; ++j)
                for (int i = j; i < kChannels; ++i) factor[i][j] -= factor[i][k] * factor[j][k];
        }
        return log_det;
    }

    void apply(const float* x, float* y) const {
        for (int i = 0; i < kChannels; ++i) {
            float rest = x[i] - mean[i];
            for (int j = 0; j < i; ++j) rest -= factor[i][j] * y[j];
            y[i] = rest / factor[i][i];
        }
    }
};
}  // namespace

void whiten_epochs(int epochs, int samples, const float* data, float* white, float* log_det) {
    for (int e = 0; e < epochs; ++e) {
        const size_t first = (size_t)e * samples * kChannels;
        Whitener whitener;
        whitener.measure(data + first, samples);
        log_det[e] = whitener.factorise();
        for (int t = 0; t < samples; ++t) whitener.apply(data + first + (size_t)t * kChannels, white + first + (size_t)t * kChannels);
    }
}
