#include <cmath>

static float normal(float x) { return 0.5f * std::erfc(-x * 0.70710678f); }

void option_surface(int assets, int strikes, int times, float rate, const float* spot, const float* factor, const float* expiry, const float* vol,
                    float* price, float* delta)
{
    for (int a = 0; a < assets; ++a) {
        for (int k = 0; k < strikes; ++k) {
            for (int t = 0; t < times; ++t) {
                const float sigma = vol[(long)a * times + t] * std::sqrt(expiry[t]), strike = spot[a] * factor[k];
                const float d1 = (std::log(1.0f / factor[k]) + rate * expiry[t]) / sigma + 0.5f * sigma;
                const long at = ((long)a * strikes + k) * times + t;
                delta[at] = normal(d1);
                price[at] = spot[a] * delta[at] - strike * std::exp(-rate * expiry[t]) * normal(d1 - sigma);
            }
        }
    }
}
