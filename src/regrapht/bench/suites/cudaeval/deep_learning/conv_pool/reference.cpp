#include <algorithm>
#include <cstdint>
#include <vector>

// One block of a convolutional network: convolution of 3 x 3, bias, rectification, largest value of each 2 x 2.
void conv_pool(int channels, int filters, int height, int width, const float* image, const float* weight, const float* bias, float* out) {
    std::vector<float> plane((int64_t)height * width);
    for (int f = 0; f < filters; ++f) {
        std::fill(plane.begin(), plane.end(), bias[f]);
        for (int c = 0; c < channels; ++c) {
            const float* in = image + (int64_t)c * height * width;
            const float* tap = weight + ((int64_t)f * channels + c) * 9;
            for (int y = 0; y < height; ++y) {
                for (int ky = std::max(0, 1 - y); ky < std::min(3, height + 1 - y); ++ky) {
                    for (int x = 0; x < width; ++x) {
                        for (int kx = std::max(0, 1 - x); kx < std::min(3, width + 1 - x); ++kx)
                            plane[(int64_t)y * width + x] += tap[3 * ky + kx] * in[(int64_t)(y + ky - 1) * width + x + kx - 1];
                    }
                }
            }
        }
        for (int y = 0; y < height; y += 2) {
            for (int x = 0; x < width; x += 2) {
                const float* square = &plane[(int64_t)y * width + x];
                const float top = std::max(square[0], square[1]), bottom = std::max(square[width], square[width + 1]);
                *out++ = std::max(0.0f, std::max(top, bottom));
            }
        }
    }
}
