#include <algorithm>
#include <cmath>
#include <vector>

static const int kReach = 4;
static const float kWhite = 16.0f;

void local_tone(int height, int width, const float* scene, float* shown) {
    const int pixels = height * width;
    std::vector<float> light(pixels);
    double logs = 0.0;
    for (int i = 0; i < pixels; ++i) {
        light[i] = 0.2126f * scene[3 * i] + 0.7152f * scene[3 * i + 1] + 0.0722f * scene[3 * i + 2];
        logs += std::log(1e-4f + light[i]);
    }
    const float exposure = 0.18f / (float)std::exp(logs / (double)pixels);
    for (int y = 0; y < height; ++y) {
        const int top = std::max(y - kReach, 0), bottom = std::min(y + kReach, height - 1);
        for (int x = 0; x < width; ++x) {
            const int left = std::max(x - kReach, 0), right = std::min(x + kReach, width - 1);
            float around = 0.0f;
            for (int v = top; v <= bottom; ++v)
                for (int u = left; u <= right; ++u) around += exposure * light[v * width + u];
            around /= (float)((bottom - top + 1) * (right - left + 1));
            // A pixel becomes dark against bright surroundings and bright against dark ones.
            const float own = light[y * width + x], exposed = exposure * own;
            const float ratio = exposed * (1.0f + exposed / kWhite) / (1.0f + around) / (1e-4f + own);
            for (int c = 0; c < 3; ++c) shown[3 * (y * width + x) + c] = ratio * scene[3 * (y * width + x) + c];
        }
    }
}
