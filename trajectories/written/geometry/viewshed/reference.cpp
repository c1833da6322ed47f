// Line of sight from observers over a height raster, with integer lines.
#include <algorithm>
#include <cstdlib>

static int rounded(int numerator, int denominator) {  // nearest whole number, halves upwards
    int doubled = 2 * numerator + denominator, whole = doubled / (2 * denominator);
    return doubled % (2 * denominator) < 0 ? whole - 1 : whole;
}

static bool sees(int rows, int columns, int eye, const int* height, int fromx, int fromy, int x, int y) {
    (void)rows;
    const int nx = x - fromx, ny = y - fromy, d = std::max(std::abs(nx), std::abs(ny));
    const int e = height[fromy * columns + fromx] + eye, rise = height[y * columns + x] - e;
    for (int t = 1; t < d; ++t) {
        int between = height[(fromy + rounded(t * ny, d)) * columns + fromx + rounded(t * nx, d)];
        if ((between - e) * d > rise * t) return false;
    }
    return true;
}

void viewshed(int observers, int rows, int columns, int eye, const int* height, const int* ox, const int* oy,
              unsigned char* visible) {
    for (int o = 0; o < observers; ++o)
        for (int y = 0; y < rows; ++y)
            for (int x = 0; x < columns; ++x)
                *visible++ = sees(rows, columns, eye, height, ox[o], oy[o], x, y) ? 1 : 0;
}
