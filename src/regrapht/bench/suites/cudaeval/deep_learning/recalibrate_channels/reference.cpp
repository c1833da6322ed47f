#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace {
// A dense layer, rows of weights with the bias as their last number.
struct Dense {
    int inputs;
    const float* weight;

    float operator()(int row, const std::vector<float>& in) const {
        const float* own = weight + (size_t)row * (inputs + 1);
        return std::inner_product(in.begin(), in.end(), own, own[inputs]);
    }
};
}  // namespace

void recalibrate_channels(int batch, int channels, int pixels, const float* image, const float* skip, const float* squeeze,
                          const float* excite, float* out, float* gate) {
    const int narrow = channels / 4;
    const Dense first{channels, squeeze}, second{narrow, excite};
    std::vector<float> mean(channels), hidden(narrow);
    for (int b = 0; b < batch; ++b) {
        const size_t at = (size_t)b * channels * pixels;
        for (int c = 0; c < channels; ++c) {
            const float* plane = image + at + (size_t)c * pixels;
            mean[c] = std::accumulate(plane, plane + pixels, 0.0f) / pixels;
        }
        for (int r = 0; r < narrow; ++r) hidden[r] = std::max(first(r, mean), 0.0f);
        for (int c = 0; c < channels; ++c) {
            const float open = 1.0f / (1.0f + std::exp(-second(c, hidden)));
            gate[(size_t)b * channels + c] = open;
            for (int p = 0; p < pixels; ++p) {
                const size_t i = at + (size_t)c * pixels + p;
                out[i] = std::max(image[i] * open + skip[i], 0.0f);
            }
        }
    }
}
