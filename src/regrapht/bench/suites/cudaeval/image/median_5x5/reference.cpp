#include <cstddef>

static int clamp_to(int value, int last) { return value < 0 ? 0 : value > last ? last : value; }

void median_5x5(int height, int width, const unsigned char* pixel, unsigned char* out) {
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            unsigned char sorted[25];
            int count = 0;
            for (int dy = -2; dy <= 2; ++dy) {
                const unsigned char* row = pixel + (size_t)clamp_to(y + dy, height - 1) * width;
                for (int dx = -2; dx <= 2; ++dx) {
                    unsigned char value = row[clamp_to(x + dx, width - 1)];
                    int at = count++;
                    while (at > 0 && sorted[at - 1] > value) {
                        sorted[at] = sorted[at - 1];
                        --at;
                    }
                    sorted[at] = value;
                }
            }
            out[(size_t)y * width + x] = sorted[12];
        }
    }
}
