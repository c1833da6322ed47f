#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

using Plane = std::vector<uint16_t>;

constexpr int kLevels = 5;
constexpr int kBinomial[5] = {1, 4, 6, 4, 1};

static Plane blur(int height, int width, const Plane& from) {
    Plane to(from.size());
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            uint32_t sum = 128;
            for (int v = 0; v < 5; ++v) {
                const uint16_t* row = &from[(size_t)std::clamp(y + v - 2, 0, height - 1) * width];
                uint32_t part = 0;
                for (int u = 0; u < 5; ++u) part += kBinomial[u] * row[std::clamp(x + u - 2, 0, width - 1)];
                sum += kBinomial[v] * part;
            }
            to[(size_t)y * width + x] = (uint16_t)(sum >> 8);
        }
    }
    return to;
}

static bool stands_out(int width, const std::array<std::vector<int16_t>, kLevels - 1>& band, int k, size_t at, int threshold) {
    const int own = band[k][at];
    if (std::abs(own) < threshold) return false;
    for (int other = k - 1; other <= k + 1; ++other) {
        for (int i = 0; i < 9; ++i) {
            if (other == k && i == 4) continue;
            const int value = band[other][at + (size_t)(i / 3) * width + i % 3 - width - 1];
            if (own > 0 ? value >= own : value <= own) return false;
        }
    }
    return true;
}

void blob_extrema(int height, int width, int threshold, const uint8_t* pixel, uint32_t* blob, int32_t* blobs) {
    const size_t pixels = (size_t)height * width;
    std::array<std::vector<int16_t>, kLevels - 1> band;
    Plane level(pixels);
    for (size_t i = 0; i < pixels; ++i) level[i] = (uint16_t)(pixel[i] << 3);
    for (std::vector<int16_t>& difference : band) {
        const Plane next = blur(height, width, level);
        difference.resize(pixels);
        const int root = (int)(&difference - band.data()) + 1, gain = root * root;
        for (size_t i = 0; i < pixels; ++i) difference[i] = (int16_t)(gain * (next[i] - level[i]));
        level = next;
    }
    int found = 0;
    for (int y = 1; y + 1 < height; ++y)
        for (int x = 1; x + 1 < width; ++x)
            for (int k = 1; k <= 2; ++k) {
                const size_t at = (size_t)y * width + x;
                if (stands_out(width, band, k, at, threshold)) blob[found++] = (uint32_t)(2 * at + k - 1);
            }
    *blobs = found;
}
