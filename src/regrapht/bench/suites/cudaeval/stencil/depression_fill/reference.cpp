#include <algorithm>
#include <cstdint>

static const int32_t kFlood = 1 << 30;

// Lowers a cell to the lowest surface among its neighbours, but not below the ground; tells whether it sank.
static bool drain(int64_t cell, int cols, int32_t ground, int32_t* level) {
    if (level[cell] == ground) return false;
    int32_t lowest = kFlood;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dy != 0 || dx != 0) lowest = std::min(lowest, level[cell + (int64_t)dy * cols + dx]);
    const int32_t sunk = std::max(ground, lowest);
    if (sunk >= level[cell]) return false;
    level[cell] = sunk;
    return true;
}

// Everything but the rim is flooded, then drained by sweeps to and fro until nothing sinks any more.
void depression_fill(int rows, int cols, const int16_t* height, int32_t* level) {
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < cols; ++x) {
            const bool rim = y == 0 || x == 0 || y == rows - 1 || x == cols - 1;
            level[(int64_t)y * cols + x] = rim ? height[(int64_t)y * cols + x] : kFlood;
        }
    }
    bool sinking = true;
    while (sinking) {
        sinking = false;
        for (int64_t y = 1; y < rows - 1; ++y)
            for (int64_t x = 1; x < cols - 1; ++x) sinking |= drain(y * cols + x, cols, height[y * cols + x], level);
        if (!sinking) break;
        for (int64_t y = rows - 2; y > 0; --y)
            for (int64_t x = cols - 2; x > 0; --x) sinking |= drain(y * cols + x, cols, height[y * cols + x], level);
    }
}
