// Grey-level co-occurrence in four directions under a mask.
#include <cstddef>

void glcm_texture(int width, int height, const unsigned char* image, const unsigned char* mask, unsigned* pairs) {
    static const int step_x[4] = {1, 1, 0, -1}, step_y[4] = {0, 1, 1, 1};
    for (int i = 0; i < 4 * 16 * 16; ++i) pairs[i] = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            size_t here = (size_t)y * width + x;
            if (!mask[here]) continue;
            for (int d = 0; d < 4; ++d) {
                int nx = x + step_x[d], ny = y + step_y[d];
                if (nx < 0 || nx >= width || ny >= height) continue;
                size_t there = (size_t)ny * width + nx;
                if (!mask[there]) continue;
                pairs[(d * 16 + image[here] / 16) * 16 + image[there] / 16]++;
            }
        }
    }
}
