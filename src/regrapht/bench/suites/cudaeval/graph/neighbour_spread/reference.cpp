#include <cmath>
#include <cstdint>

void neighbour_spread(int n, const int32_t* near, const float* value, float* spread, int32_t* nearest) {
    for (int v = 0; v < n; ++v) {
        const float own = value[v];
        float low = own, high = own, least = 1e30f;
        int chosen = -1;
        for (int k = 0; k < 8; ++k) {
            const int u = near[(int64_t)8 * v + k];
            if (u >= 0) {
                const float other = value[u];
                low = std::fmin(low, other);
                high = std::fmax(high, other);
                if (std::fabs(other - own) < least) {
                    least = std::fabs(other - own);
                    chosen = u;
                }
            }
        }
        spread[v] = high - low;
        nearest[v] = chosen;
    }
}
