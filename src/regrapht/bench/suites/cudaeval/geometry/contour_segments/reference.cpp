#include <cstddef>
#include <cstdint>

struct Segment {
    float ax, ay, bx, by;
};

// For each choice of corners above the level (1 upper left, 2 upper right, 4 lower right, 8 lower left): which sides are joined, 0 upper,
// 1 right, 2 lower, 3 left; -1 ends the list.
static const int8_t kJoined[16][5] = {
    {-1}, {3, 0, -1}, {0, 1, -1}, {3, 1, -1}, {1, 2, -1}, {3, 0, 1, 2, -1}, {0, 2, -1}, {3, 2, -1},
    {2, 3, -1}, {2, 0, -1}, {0, 1, 2, 3, -1}, {2, 1, -1}, {1, 3, -1}, {1, 0, -1}, {0, 3, -1}, {-1},
};

static void cross(const float* height, int cols, int y, int x, int side, float level, float* px, float* py) {
    const int from_y = y + (side == 2), from_x = x + (side == 1);
    const bool upright = side == 1 || side == 3;
    const float a = height[(size_t)from_y * cols + from_x];
    const float b = height[(size_t)(from_y + upright) * cols + from_x + !upright];
    const float part = (level - a) / (b - a);
    *px = upright ? (float)from_x : (float)from_x + part;
    *py = upright ? (float)from_y + part : (float)from_y;
}

void contour_segments(int rows, int cols, float level, const float* height, Segment* segment, int32_t* segments) {
    int32_t count = 0;
    for (int y = 0; y + 1 < rows; ++y) {
        for (int x = 0; x + 1 < cols; ++x) {
            const float* upper = height + (size_t)y * cols + x;
            const float* lower = upper + cols;
            const int above = (upper[0] > level) + 2 * (upper[1] > level) + 4 * (lower[1] > level) + 8 * (lower[0] > level);
            for (const int8_t* side = kJoined[above]; *side >= 0; side += 2) {
                Segment* s = segment + count++;
                cross(height, cols, y, x, side[0], level, &s->ax, &s->ay);
                cross(height, cols, y, x, side[1], level, &s->bx, &s->by);
            }
        }
    }
    segments[0] = count;
}
