#include <cstdint>

void bayer_planes(int height, int width, const uint16_t* black, const uint16_t* raw, uint16_t* plane) {
    for (int y = 0; y < 2 * height; ++y) {
        for (int x = 0; x < 2 * width; ++x) {
            const int place = 2 * (y & 1) + (x & 1);
            const int above = raw[(int64_t)y * 2 * width + x] - black[place];
            plane[((int64_t)place * height + y / 2) * width + x / 2] = (uint16_t)(above > 0 ? above : 0);
        }
    }
}
