#include <algorithm>
#include <array>
#include <cstdint>

constexpr int kSide = 64, kPixels = kSide * kSide, kLevels = 256;

// Cuts the histogram at `limit` and deals out what was cut off.
static void flatten(std::array<int, kLevels>& histogram, int limit) {
    int excess = 0;
    for (int& count : histogram) {
        if (count <= limit) continue;
        excess += count - limit;
        count = limit;
    }
    for (int level = 0; level < kLevels; ++level) histogram[level] += excess / kLevels + (level < excess % kLevels ? 1 : 0);
}

static void equalise_tile(const uint8_t* from, uint8_t* to, int64_t pitch, int limit) {
    std::array<int, kLevels> histogram{};
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) ++histogram[from[y * pitch + x]];
    flatten(histogram, limit);
    uint8_t curve[kLevels];
    int sum = 0;
    for (int level = 0; level < kLevels; ++level) {
        sum += histogram[level];
        curve[level] = (uint8_t)((255 * sum + kPixels / 2) / kPixels);
    }
    for (int y = 0; y < kSide; ++y, from += pitch, to += pitch)
        std::transform(from, from + kSide, to, [&curve](uint8_t p) { return curve[p]; });
}

void equalise_tiles(int tile_rows, int tile_cols, int limit, const uint8_t* image, uint8_t* equalised) {
    const int64_t pitch = (int64_t)kSide * tile_cols;
    for (int row = 0; row < tile_rows; ++row)
        for (int col = 0; col < tile_cols; ++col) {
            const int64_t corner = row * kSide * pitch + col * kSide;
            equalise_tile(image + corner, equalised + corner, pitch, limit);
        }
}
