#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

constexpr int kTile = 64;
constexpr int kLevels = 256;

struct Corners {
    int low, high;  // the tiles on both sides
    int weight;     // of the second one, out of 128
};

Corners corners_of(int position, int tiles) {
    int from_centre = 2 * position + 1 - kTile;
    int tile = from_centre < 0 ? -1 : from_centre / (2 * kTile);
    return {tile < 0 ? 0 : tile, tile + 1 < tiles ? tile + 1 : tiles - 1, from_centre - 2 * kTile * tile};
}

void equalise(const int* counted, int area, int clip, uint8_t* map) {
    int limit = clip * area / kLevels;
    if (limit < 1) limit = 1;
    int excess = 0;
    for (int v = 0; v < kLevels; ++v) {
        if (counted[v] > limit) excess += counted[v] - limit;
    }
    int sum = 0;
    for (int v = 0; v < kLevels; ++v) {
        sum += counted[v] > limit ? limit : counted[v];
        sum += excess / kLevels;
        if (v < excess % kLevels) ++sum;
        map[v] = (uint8_t)(255 * sum / area);
    }
}

}  // namespace

void clahe_tiles(int height, int width, int clip, const uint8_t* pixel, uint8_t* out) {
    const int rows = (height + kTile - 1) / kTile, columns = (width + kTile - 1) / kTile;
    std::vector<uint8_t> maps((size_t)rows * columns * kLevels);
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) {
            int counted[kLevels] = {0};
            int area = 0;
            for (int y = r * kTile; y < (r + 1) * kTile && y < height; ++y) {
                for (int x = c * kTile; x < (c + 1) * kTile && x < width; ++x) {
                    ++counted[pixel[(size_t)y * width + x]];
                    ++area;
                }
            }
            equalise(counted, area, clip, &maps[((size_t)r * columns + c) * kLevels]);
        }
    }
    for (int y = 0; y < height; ++y) {
        const Corners v = corners_of(y, rows);
        for (int x = 0; x < width; ++x) {
            const Corners h = corners_of(x, columns);
            const int level = pixel[(size_t)y * width + x];
            auto mapped = [&](int r, int c) { return (int)maps[((size_t)r * columns + c) * kLevels + level]; };
            int top = mapped(v.low, h.low) * (128 - h.weight) + mapped(v.low, h.high) * h.weight;
            int bottom = mapped(v.high, h.low) * (128 - h.weight) + mapped(v.high, h.high) * h.weight;
            out[(size_t)y * width + x] = (uint8_t)((top * (128 - v.weight) + bottom * v.weight + 8192) / 16384);
        }
    }
}
