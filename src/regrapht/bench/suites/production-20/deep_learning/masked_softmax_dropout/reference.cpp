#include <cmath>
#include <cstdint>

static bool dropped(uint32_t seed, uint32_t threshold, uint32_t element)
{
    uint32_t x = element * 2654435769u + seed;
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    return x < threshold;
}

void masked_softmax_dropout(int batch, int queries, int keys, float scale, uint32_t seed, uint32_t threshold, const float* score, const uint8_t* pad,
                            float* p)
{
    const float kept = 1.0f / (1.0f - (float)threshold / 4294967296.0f);
    for (int b = 0; b < batch; ++b) {
        for (int i = 0; i < queries; ++i) {
            const long row = ((long)b * queries + i) * keys;
            const auto counts = [&](int j) { return j <= i + keys - queries && !pad[(long)b * keys + j]; };
            float top = -INFINITY, sum = 0.0f;
            for (int j = 0; j < keys; ++j)
                if (counts(j)) top = std::fmax(top, scale * score[row + j]);
            for (int j = 0; j < keys; ++j)
                if (counts(j)) sum += std::exp(scale * score[row + j] - top);
            for (int j = 0; j < keys; ++j) {
                const bool zero = !counts(j) || dropped(seed, threshold, (uint32_t)(row + j));
                p[row + j] = zero ? 0.0f : std::exp(scale * score[row + j] - top) / sum * kept;
            }
        }
    }
}
