#include <cstdint>

static uint8_t clamp_byte(int value) {
    if (value < 0) return 0;
    if (value > 255) return 255;
    return (uint8_t)value;
}

void nv12_to_rgb(int height, int width, const uint8_t* luma, const uint8_t* chroma, uint8_t* rgb) {
    for (int row = 0; row < height; ++row) {
        const uint8_t* uv = chroma + (long)(row / 2) * width;
        for (int col = 0; col < width; ++col) {
            int c = 298 * (luma[(long)row * width + col] - 16);
            int d = uv[col / 2 * 2] - 128;
            int e = uv[col / 2 * 2 + 1] - 128;
            uint8_t* out = rgb + 3 * ((long)row * width + col);
            out[0] = clamp_byte((c + 409 * e + 128) >> 8);
            out[1] = clamp_byte((c - 100 * d - 208 * e + 128) >> 8);
            out[2] = clamp_byte((c + 516 * d + 128) >> 8);
        }
    }
}
