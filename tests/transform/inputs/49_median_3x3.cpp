#include <algorithm>

// Removes specks: every pixel becomes the middle one of its 3 x 3 neighbourhood, with the edge repeated outwards.
void median_3x3(int height, int width, const unsigned short* in, unsigned short* out) {
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            unsigned short window[9];
            int used = 0;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const int yy = std::min(std::max(y + dy, 0), height - 1);
                    const int xx = std::min(std::max(x + dx, 0), width - 1);
                    window[used++] = in[yy * width + xx];
                }
            for (int i = 0; i < 5; ++i)
                for (int j = i + 1; j < 9; ++j)
                    if (window[j] < window[i]) std::swap(window[i], window[j]);
            out[y * width + x] = window[4];
        }
}
