#include <cstdint>

void gap_smoothing(int series, int n, float alpha, const float* value, const uint8_t* present, const float* begin, float* level) {
    for (int s = 0; s < series; ++s) {
        float now = begin[s];
        for (int t = 0; t < n; ++t) {
            if (present[(int64_t)s * n + t]) now += alpha * (value[(int64_t)s * n + t] - now);
            level[(int64_t)s * n + t] = now;
        }
    }
}
