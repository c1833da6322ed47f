#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

constexpr int kFar = 6;

class Relief {
public:
    Relief(int rows, int cols, const int16_t* height) : rows_(rows), cols_(cols), ground_((size_t)rows * cols) {
        static const int kWeight[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
        for (int y = 0; y < rows; ++y) {
            for (int x = 0; x < cols; ++x) {
                int sum = 0;
                for (int i = 0; i < 9; ++i) {
                    const int v = std::clamp(y + i / 3 - 1, 0, rows - 1), u = std::clamp(x + i % 3 - 1, 0, cols - 1);
                    sum += kWeight[i] * height[(size_t)v * cols + u];
                }
                ground_[(size_t)y * cols + x] = (float)sum / 160.0f;
            }
        }
    }

    // How much light from the north-west falls on the slope.
    float shade(int y, int x) const {
        const float gx = 0.5f * (held(y, x + 1) - held(y, x - 1)), gy = 0.5f * (held(y + 1, x) - held(y - 1, x));
        return std::max(0.0f, 0.6f + 0.5f * gx + 0.5f * gy) / std::sqrt(1.0f + gx * gx + gy * gy);
    }

    // How much of the sky is seen over the steepest rise in each of eight directions.
    float sky(int y, int x) const {
        float sum = 0.0f;
        for (int way = 0; way < 9; ++way) {
            if (way == 4) continue;
            const int dy = way / 3 - 1, dx = way % 3 - 1;
            const float apart = dy != 0 && dx != 0 ? 1.41421356f : 1.0f;
            float steepest = 0.0f;
            for (int k = 1, v = y + dy, u = x + dx; k <= kFar; ++k, v += dy, u += dx) {
                if (v < 0 || u < 0 || v >= rows_ || u >= cols_) break;
                steepest = std::max(steepest, (held(v, u) - held(y, x)) / (apart * (float)k));
            }
            sum += 1.0f / (1.0f + steepest);
        }
        return sum / 8.0f;
    }

private:
    float held(int y, int x) const { return ground_[(size_t)std::clamp(y, 0, rows_ - 1) * cols_ + std::clamp(x, 0, cols_ - 1)]; }

    int rows_, cols_;
    std::vector<float> ground_;
};

void relief_shading(int rows, int cols, const int16_t* height, float* light) {
    const Relief relief(rows, cols, height);
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < cols; ++x) light[(size_t)y * cols + x] = relief.shade(y, x) * relief.sky(y, x);
}
