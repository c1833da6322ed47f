#include <algorithm>
#include <cmath>
#include <cstdint>

static float idiosyncratic(uint32_t s, uint32_t l)
{
    uint32_t x = s * 2654435761u + l * 40503u;
    x = (x ^ (x >> 16)) * 0x45d9f3bu;
    x = (x ^ (x >> 16)) * 0x45d9f3bu;
    x ^= x >> 16;
    const int bytes = (int)(x & 255) + (int)(x >> 8 & 255) + (int)(x >> 16 & 255) + (int)(x >> 24);
    return (float)(bytes - 510) / 147.8f;
}

void tranche_losses(int scenarios, int loans, int tranches, float rho, const float* market, const float* threshold, const int32_t* loss,
                    const int64_t* low, const int64_t* size, int64_t* expected, int32_t* wiped)
{
    std::fill_n(expected, tranches, 0);
    std::fill_n(wiped, tranches, 0);
    const int systematic = (int)std::lround(1024 * std::sqrt(rho)), own = (int)std::lround(1024 * std::sqrt(1 - rho));
    for (int s = 0; s < scenarios; ++s) {
        // In 1024ths, so that every machine draws the same defaults.
        const int factor = systematic * (int)std::lround(256 * market[s]);
        int64_t pool = 0;
        for (int l = 0; l < loans; ++l) {
            const int score = factor + own * (int)(256 * idiosyncratic((uint32_t)s, (uint32_t)l));
            if (score < 1024 * (int)std::lround(256 * threshold[l])) pool += loss[l];
        }
        for (int t = 0; t < tranches; ++t) {
            const int64_t taken = std::clamp<int64_t>(pool - low[t], 0, size[t]);
            expected[t] += taken;
            wiped[t] += taken == size[t];
        }
    }
}
