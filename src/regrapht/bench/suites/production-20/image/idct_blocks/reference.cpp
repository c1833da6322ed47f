#include <algorithm>
#include <cmath>
#include <cstdint>

static const uint8_t kPlace[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                   35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

static float basis(int x, int u)
{
    const double pi = 3.14159265358979323846;
    return (float)((u == 0 ? std::sqrt(0.125) : 0.5) * std::cos((2 * x + 1) * u * pi / 16));
}

void idct_blocks(int rows, int cols, const int16_t* coefficient, const uint8_t* step, uint8_t* pixel)
{
    float c[8][8];
    for (int x = 0; x < 8; ++x)
        for (int u = 0; u < 8; ++u) c[x][u] = basis(x, u);
    for (int b = 0; b < rows * cols; ++b) {
        float in[64], half[64];
        for (int k = 0; k < 64; ++k) in[kPlace[k]] = (float)coefficient[64 * (long)b + k] * step[k];
        for (int v = 0; v < 8; ++v)
            for (int x = 0; x < 8; ++x) {
                half[8 * v + x] = 0.0f;
                for (int u = 0; u < 8; ++u) half[8 * v + x] += c[x][u] * in[8 * v + u];
            }
        for (int y = 0; y < 8; ++y)
            for (int x = 0; x < 8; ++x) {
                float sum = 128.0f;
                for (int v = 0; v < 8; ++v) sum += c[y][v] * half[8 * v + x];
                pixel[(8l * (b / cols) + y) * 8 * cols + 8 * (b % cols) + x] = (uint8_t)std::lround(std::min(255.0f, std::max(0.0f, sum)));
            }
    }
}
