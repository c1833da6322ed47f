#include <cmath>
#include <cstdint>

// Smooth gates times values; each row has all its gates, then all its values.
void gated_activation(int rows, int n, const float* pair, float* out) {
    for (int64_t i = 0; i < (int64_t)rows * n; ++i) {
        const int64_t gate = i + i / n * n;
        out[i] = pair[gate] / (1.0f + std::exp(-pair[gate])) * pair[gate + n];
    }
}
