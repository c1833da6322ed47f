// shape: x = n
// shape: y = n
// shape: out = 2
// check: n=1; n=300
#include <algorithm>
#include <cmath>
static const float SCALE = 1.0f / std::sqrt(2.0f);
static float fmod(float v) { return v - 2.0f * floorf(v / 2.0f); }

void clip_reserved(int n, float min, double max, const float* x, float* y, float* out) {
    for (int i = 0; i < n; i++) {
        const float scaled = std::max<float>(x[i] * SCALE, -min);
        y[i] = fmod(std::min<double>(scaled, max));
    }
    float lowest = x[0], total = 0;
    for (int i = 0; i < n; i++) {
        lowest = std::min(lowest, x[i]);
        total += y[i];
    }
    out[0] = lowest;
    out[1] = total;
}
