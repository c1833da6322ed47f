#include <cmath>

struct Point {
    float x, y;
};

// At most four corners and one more for each of the four lines that clip.
struct Polygon {
    Point corner[8];
    int corners;
};

static Polygon cut(const Polygon& from, Point a, Point b) {
    Polygon kept;
    kept.corners = 0;
    for (int i = 0; i < from.corners; ++i) {
        const Point p = from.corner[i], q = from.corner[i + 1 < from.corners ? i + 1 : 0];
        const float sp = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
        const float sq = (b.x - a.x) * (q.y - a.y) - (b.y - a.y) * (q.x - a.x);
        if (sp >= 0.0f) kept.corner[kept.corners++] = p;
        if ((sp >= 0.0f) != (sq >= 0.0f)) {
            const float part = sp / (sp - sq);
            kept.corner[kept.corners++] = {p.x + part * (q.x - p.x), p.y + part * (q.y - p.y)};
        }
    }
    return kept;
}

static Polygon rectangle(const float* box) {
    const float c = std::cos(box[4]), s = std::sin(box[4]), w = 0.5f * box[2], h = 0.5f * box[3];
    Polygon out;
    out.corners = 4;
    for (int i = 0; i < 4; ++i) {
        const float u = i == 0 || i == 3 ? -w : w, v = i < 2 ? -h : h;
        out.corner[i] = {box[0] + c * u - s * v, box[1] + s * u + c * v};
    }
    return out;
}

void clipped_areas(int pairs, const float* first, const float* second, float* shared) {
    for (int i = 0; i < pairs; ++i) {
        Polygon left = rectangle(first + 5 * i);
        const Polygon clip = rectangle(second + 5 * i);
        for (int side = 0; side < 4 && left.corners > 0; ++side) left = cut(left, clip.corner[side], clip.corner[(side + 1) % 4]);
        float twice = 0.0f;
        for (int k = 0; k + 2 < left.corners; ++k) {
            const Point o = left.corner[0], p = left.corner[k + 1], q = left.corner[k + 2];
            twice += (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
        }
        shared[i] = 0.5f * twice;
    }
}
