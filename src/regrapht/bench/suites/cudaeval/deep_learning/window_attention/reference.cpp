#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

static const int kSize = 32;

// Attention of each token to itself and the window - 1 tokens before it, head by head.
void window_attention(int heads, int tokens, int window, const float* q, const float* k, const float* v, float* out) {
    std::vector<float> weight(window);
    for (int h = 0; h < heads; ++h) {
        const int64_t base = (int64_t)h * tokens * kSize;
        for (int t = 0; t < tokens; ++t) {
            const float* query = q + base + (int64_t)t * kSize;
            float* mix = out + base + (int64_t)t * kSize;
            const int first = std::max(0, t - window + 1);
            float largest = -INFINITY;
            for (int j = first; j <= t; ++j) {
                float dot = 0.0f;
                for (int d = 0; d < kSize; ++d) dot += query[d] * k[base + (int64_t)j * kSize + d];
                weight[j - first] = dot * 0.17677669529663687f;
                largest = std::max(largest, weight[j - first]);
            }
            for (int d = 0; d < kSize; ++d) mix[d] = 0.0f;
            float total = 0.0f;
            for (int j = first; j <= t; ++j) {
                const float share = std::exp(weight[j - first] - largest);
                total += share;
                for (int d = 0; d < kSize; ++d) mix[d] += share * v[base + (int64_t)j * kSize + d];
            }
            for (int d = 0; d < kSize; ++d) mix[d] /= total;
        }
    }
}
