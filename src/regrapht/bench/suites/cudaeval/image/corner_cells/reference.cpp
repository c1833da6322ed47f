#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

struct Slope {
    int16_t across, down;
};

constexpr int kCell = 16;
constexpr int kWindow = 2;

static Slope slope_at(int height, int width, const uint8_t* pixel, int y, int x) {
    const size_t row = (size_t)y * width;
    const int left = pixel[row + std::max(x - 1, 0)], right = pixel[row + std::min(x + 1, width - 1)];
    const int above = pixel[(size_t)std::max(y - 1, 0) * width + x], below = pixel[(size_t)std::min(y + 1, height - 1) * width + x];
    return {(int16_t)(right - left), (int16_t)(below - above)};
}

// Harris' measure of the window around (y, x); what lies outside of the image adds nothing.
static int64_t strength_at(int height, int width, const Slope* slope, int y, int x) {
    int64_t xx = 0, xy = 0, yy = 0;
    for (int v = std::max(y - kWindow, 0); v <= std::min(y + kWindow, height - 1); ++v) {
        for (int u = std::max(x - kWindow, 0); u <= std::min(x + kWindow, width - 1); ++u) {
            const Slope& s = slope[(size_t)v * width + u];
            xx += s.across * s.across;
            xy += s.across * s.down;
            yy += s.down * s.down;
        }
    }
    return xx * yy - xy * xy - ((xx + yy) * (xx + yy) >> 4);
}

// Stronger than the neighbours that come before it in reading order, at least as strong as those after it.
static bool is_peak(int height, int width, const int64_t* strength, int y, int x) {
    const int64_t own = strength[(size_t)y * width + x];
    for (int v = y - 1; v <= y + 1; ++v) {
        for (int u = x - 1; u <= x + 1; ++u) {
            if (v < 0 || u < 0 || v >= height || u >= width) continue;
            const bool before = v < y || (v == y && u < x);
            const int64_t other = strength[(size_t)v * width + u];
            if (other > own || (before && other == own)) return false;
        }
    }
    return true;
}

void corner_cells(int height, int width, int64_t threshold, const uint8_t* pixel, int32_t* corners, int32_t* best) {
    std::vector<Slope> slope((size_t)height * width);
    std::vector<int64_t> strength((size_t)height * width);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) slope[(size_t)y * width + x] = slope_at(height, width, pixel, y, x);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) strength[(size_t)y * width + x] = strength_at(height, width, slope.data(), y, x);
    int cell = 0;
    for (int top = 0; top < height; top += kCell) {
        for (int left = 0; left < width; left += kCell, ++cell) {
            int count = 0, place = -1;
            int64_t strongest = threshold;
            for (int y = top; y < std::min(top + kCell, height); ++y) {
                for (int x = left; x < std::min(left + kCell, width); ++x) {
                    const int64_t own = strength[(size_t)y * width + x];
                    if (own <= threshold || !is_peak(height, width, strength.data(), y, x)) continue;
                    ++count;
                    if (own > strongest) {
                        strongest = own;
                        place = y * width + x;
                    }
                }
            }
            corners[cell] = count;
            best[cell] = place;
        }
    }
}
