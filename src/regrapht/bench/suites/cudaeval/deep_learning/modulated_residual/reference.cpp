#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

struct Modulation {
    const float *shift, *scale;
};

// y = ((x - mean) / deviation) * (1 + scale) + shift
static void modulate(int width, const float* x, const Modulation& by, float* y) {
    float mean = 0.0f, square = 0.0f;
    for (int c = 0; c < width; ++c) mean += x[c];
    mean /= width;
    for (int c = 0; c < width; ++c) square += (x[c] - mean) * (x[c] - mean);
    const float factor = 1.0f / std::sqrt(square / width + 1e-5f);
    for (int c = 0; c < width; ++c) y[c] = (x[c] - mean) * factor * (1.0f + by.scale[c]) + by.shift[c];
}

void modulated_residual(int batch, int tokens, int width, const float* x, const float* shift, const float* scale, const float* probe,
                        const uint8_t* keep, float* out, float* energy) {
    std::vector<float> y(width);
    for (int b = 0; b < batch; ++b) {
        const Modulation by = {shift + (size_t)b * width, scale + (size_t)b * width};
        for (int t = 0; t < tokens; ++t) {
            const size_t token = (size_t)b * tokens + t;
            const float* in = x + token * width;
            float gate = 0.0f;
            if (keep[token]) {
                modulate(width, in, by, y.data());
                float level = 0.0f;
                for (int c = 0; c < width; ++c) level += y[c] * probe[c];
                gate = 1.0f / (1.0f + std::exp(-level));
            }
            float total = 0.0f;
            for (int c = 0; c < width; ++c) {
                const float value = gate == 0.0f ? in[c] : in[c] + gate * y[c];
                out[token * width + c] = value;
                total += value * value;
            }
            energy[token] = total / width;
        }
    }
}
