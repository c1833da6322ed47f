#include <algorithm>
#include <cstdint>
#include <vector>

#define RADIUS 4

void guided_smooth(int height, int width, float softness, const uint8_t* guide, const uint8_t* noisy, float* smooth) {
    std::vector<float> gain((long long)height * width), offset((long long)height * width);
    for (int y = 0; y < height; y++) {
        const int top = std::max(y - RADIUS, 0), bottom = std::min(y + RADIUS, height - 1);
        for (int x = 0; x < width; x++) {
            const int left = std::max(x - RADIUS, 0), right = std::min(x + RADIUS, width - 1);
            int g = 0, n = 0, gg = 0, gn = 0;
            for (int v = top; v <= bottom; v++) {
                for (int u = left; u <= right; u++) {
                    const int a = guide[(long long)v * width + u], b = noisy[(long long)v * width + u];
                    g += a;
                    n += b;
                    gg += a * a;
                    gn += a * b;
                }
            }
            const int area = (bottom - top + 1) * (right - left + 1);
            const float spread = (float)(area * gg - g * g), shared = (float)(area * gn - g * n);
            const float slope = shared / (spread + softness * (float)(area * area));
            gain[(long long)y * width + x] = slope;
            offset[(long long)y * width + x] = ((float)n - slope * (float)g) / (float)area;
        }
    }
    for (int y = 0; y < height; y++) {
        const int top = std::max(y - RADIUS, 0), bottom = std::min(y + RADIUS, height - 1);
        for (int x = 0; x < width; x++) {
            const int left = std::max(x - RADIUS, 0), right = std::min(x + RADIUS, width - 1);
            float a = 0.0f, b = 0.0f;
            for (int v = top; v <= bottom; v++) {
                for (int u = left; u <= right; u++) {
                    a += gain[(long long)v * width + u];
                    b += offset[(long long)v * width + u];
                }
            }
            const int area = (bottom - top + 1) * (right - left + 1);
            smooth[(long long)y * width + x] = (a * (float)guide[(long long)y * width + x] + b) / (float)area;
        }
    }
}
