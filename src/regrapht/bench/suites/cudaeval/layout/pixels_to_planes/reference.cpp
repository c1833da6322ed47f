#include <cstddef>

void pixels_to_planes(int batch, int height, int width, const unsigned char* pixels, const unsigned char* mirror, const float* mean,
                      const float* inverse_std, float* planes) {
    for (int b = 0; b < batch; ++b) {
        for (int y = 0; y < height; ++y) {
            const unsigned char* row = pixels + ((size_t)b * height + y) * width * 3;
            for (int x = 0; x < width; ++x) {
                int from = mirror[b] ? width - 1 - x : x;
                for (int c = 0; c < 3; ++c) {
                    planes[(((size_t)b * 3 + c) * height + y) * width + x] = (row[3 * from + c] / 255.0f - mean[c]) * inverse_std[c];
                }
            }
        }
    }
}
