#include <algorithm>
#include <cstdint>

struct Pixel {
    uint8_t r, g, b;
    bool black() const { return !(r | g | b); }
};

static uint16_t packed(const Pixel& p, int m)
{
    const int r = std::min(31, (p.r + m / 2) >> 3), g = std::min(63, (p.g + m / 4) >> 2), b = std::min(31, (p.b + m / 2) >> 3);
    return (uint16_t)(r << 11 | g << 5 | b);
}

void dither_565(int height, int width, const uint8_t* matrix, const uint8_t* pixel, uint16_t* word, int32_t* darkened)
{
    const Pixel* in = reinterpret_cast<const Pixel*>(pixel);
    *darkened = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x, ++in, ++word) {
            *word = packed(*in, matrix[4 * (y % 4) + x % 4]);
            *darkened += *word == 0 && !in->black();
        }
    }
}
