#include <cmath>
#include <cstdint>

// Gradient of the logistic loss of a click model with hashed categorical features: `slots` table positions for each impression.
void click_gradient(int impressions, int slots, int table, const int32_t* slot, const uint8_t* clicked, const float* weight, float* gradient) {
    for (int b = 0; b < table; ++b) gradient[b] = 0.0f;
    for (int i = 0; i < impressions; ++i) {
        const int32_t* mine = slot + (long long)i * slots;
        float margin = 0.0f;
        for (int s = 0; s < slots; ++s) margin += weight[mine[s]];
        const float residual = 1.0f / (1.0f + std::exp(-margin)) - clicked[i];
        for (int s = 0; s < slots; ++s) gradient[mine[s]] += residual;
    }
}
