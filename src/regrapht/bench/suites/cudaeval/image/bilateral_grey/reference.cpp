#include <cmath>
#include <cstddef>

void bilateral_grey(int height, int width, float space, float range, const unsigned char* grey, float* out) {
    const int radius = 5;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const float centre = grey[(size_t)y * width + x];
            float weights = 0, sum = 0;
            for (int dy = -radius; dy <= radius; ++dy) {
                for (int dx = -radius; dx <= radius; ++dx) {
                    if (y + dy < 0 || y + dy >= height || x + dx < 0 || x + dx >= width) continue;
                    float near = grey[(size_t)(y + dy) * width + x + dx];
                    float w = std::exp(-(dx * dx + dy * dy) * space - (near - centre) * (near - centre) * range);
                    weights += w;
                    sum += w * near;
                }
            }
            out[(size_t)y * width + x] = sum / weights;
        }
    }
}
