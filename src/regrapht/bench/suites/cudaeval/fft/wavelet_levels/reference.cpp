#include <algorithm>
#include <cstdint>
#include <vector>

// One line by lifting: differences of the odd places from their neighbours, then smoothed even places.
static void lift(int n, const int16_t* x, int16_t* out, int64_t stride) {
    const int half = (n + 1) / 2;
    if (n == 1) {
        out[0] = x[0];
        return;
    }
    for (int i = 0; 2 * i + 1 < n; ++i) {
        const int right = 2 * i + 2 < n ? x[2 * i + 2] : x[2 * i];
        out[(half + i) * stride] = (int16_t)(x[2 * i + 1] - ((x[2 * i] + right) >> 1));
    }
    for (int i = 0; i < half; ++i) {
        const int right = 2 * i + 1 < n ? out[(half + i) * stride] : out[(half + i - 1) * stride];
        const int left = i > 0 ? out[(half + i - 1) * stride] : right;
        out[i * stride] = (int16_t)(x[2 * i] + ((left + right + 2) >> 2));
    }
}

void wavelet_levels(int height, int width, int levels, const uint8_t* image, int16_t* coefficient) {
    std::vector<int16_t> line(std::max(height, width));
    for (int64_t i = 0; i < (int64_t)height * width; ++i) coefficient[i] = image[i];
    for (int level = 0, h = height, w = width; level < levels; ++level, h = (h + 1) / 2, w = (w + 1) / 2) {
        for (int y = 0; y < h; ++y) {
            int16_t* row = coefficient + (int64_t)y * width;
            std::copy(row, row + w, line.begin());
            lift(w, line.data(), row, 1);
        }
        for (int x = 0; x < w; ++x) {
            for (int y = 0; y < h; ++y) line[y] = coefficient[(int64_t)y * width + x];
            lift(h, line.data(), coefficient + x, width);
        }
    }
}
