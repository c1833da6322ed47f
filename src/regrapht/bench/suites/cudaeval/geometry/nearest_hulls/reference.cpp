#include <cstdint>

struct Point {
    int32_t x, y;
};
struct Segment {
    int32_t ax, ay, bx, by;
};

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

// Along the segment in 1024ths, clamped to its ends.
static int64_t squared_distance(const Segment& s, const Point& p)
{
    const int64_t dx = s.bx - s.ax, dy = s.by - s.ay, px = p.x - s.ax, py = p.y - s.ay;
    const int64_t length = dx * dx + dy * dy, along = dx * px + dy * py;
    int64_t t = 0;
    if (length > 0 && along > 0) t = along >= length ? 1024 : along / (length / 1024 + 1);
    const int64_t ex = px - floor_div(dx * t, 1024), ey = py - floor_div(dy * t, 1024);
    return ex * ex + ey * ey;
}

void nearest_hulls(int vehicles, int segments, const Point* vehicle, const Segment* segment, int32_t* nearest, int64_t* squared, int32_t* side)
{
    for (int v = 0; v < vehicles; ++v) {
        int best = 0;
        int64_t least = squared_distance(segment[0], vehicle[v]);
        for (int s = 1; s < segments; ++s) {
            const int64_t d = squared_distance(segment[s], vehicle[v]);
            if (d < least) {
                least = d;
                best = s;
            }
        }
        const Segment& at = segment[best];
        const int64_t cross = (int64_t)(at.bx - at.ax) * (vehicle[v].y - at.ay) - (int64_t)(at.by - at.ay) * (vehicle[v].x - at.ax);
        nearest[v] = best;
        squared[v] = least;
        side[v] = (cross > 0) - (cross < 0);
    }
}
