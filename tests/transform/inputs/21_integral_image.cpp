#include <cstdint>

// Summed-area table: out[y][x] is the sum of all pixels above and to the left, both included.
void integral_image(int height, int width, const uint8_t* image, uint32_t* out) {
    for (int y = 0; y < height; y++) {
        uint32_t line = 0;
        for (int x = 0; x < width; x++) {
            line += image[y * width + x];
            out[y * width + x] = line + (y > 0 ? out[(y - 1) * width + x] : 0u);
        }
    }
}
