// Depthwise convolution with zero padding.
#include <cstddef>

void depthwise_conv(int channels, int height, int width, const float* input, const float* weights, float* output) {
    const size_t plane = (size_t)height * width;
    for (int c = 0; c < channels; ++c) {
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                float sum = 0.0f;
                for (int dy = -1; dy <= 1; ++dy) {
                    for (int dx = -1; dx <= 1; ++dx) {
                        int yy = y + dy, xx = x + dx;
                        if (yy < 0 || yy >= height || xx < 0 || xx >= width) continue;
                        sum += weights[9 * c + 3 * (dy + 1) + dx + 1] * input[c * plane + (size_t)yy * width + xx];
                    }
                }
                output[c * plane + (size_t)y * width + x] = sum;
            }
        }
    }
}
