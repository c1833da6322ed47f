#include <algorithm>
#include <cmath>
#include <cstdint>

// What the sample at distance `place` from the one to the left counts, t of the way to the next.
static float weight(float t, int place) {
    if (place < 0) return ((-0.5f * t + 1.0f) * t - 0.5f) * t;
    if (place == 0) return (1.5f * t - 2.5f) * t * t + 1.0f;
    if (place == 1) return ((-1.5f * t + 2.0f) * t + 0.5f) * t;
    return (0.5f * t - 0.5f) * t * t;
}

// A lens bends what lies away from the middle.
void cubic_remap(int height, int width, float bend, const uint8_t* taken, float* straight) {
    const float cy = 0.5f * (float)(height - 1), cx = 0.5f * (float)(width - 1);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const float dy = (float)y - cy, dx = (float)x - cx;
            const float ratio = 1.0f + bend * (dx * dx + dy * dy) / (cx * cx + cy * cy + 1.0f);
            const float sy = cy + ratio * dy, sx = cx + ratio * dx;
            const int top = (int)std::floor(sy), left = (int)std::floor(sx);
            float sum = 0.0f;
            for (int v = -1; v <= 2; v++) {
                const int row = std::min(std::max(top + v, 0), height - 1);
                for (int u = -1; u <= 2; u++) {
                    const int column = std::min(std::max(left + u, 0), width - 1);
                    sum += weight(sy - (float)top, v) * weight(sx - (float)left, u) * (float)taken[row * width + column];
                }
            }
            straight[y * width + x] = sum;
        }
    }
}
