#include <cstdint>

struct Point { int32_t x, y; };
struct Edge { int32_t a, b, c, d; };

static int64_t area(const Point& a, const Point& b, const Point& c)
{
    return (int64_t)(b.x - a.x) * (c.y - a.y) - (int64_t)(b.y - a.y) * (c.x - a.x);
}

static int64_t in_circle(const Point& a, const Point& b, const Point& c, const Point& d)
{
    int64_t m[3][3];
    const Point* corner[3] = {&a, &b, &c};
    for (int r = 0; r < 3; ++r) {
        m[r][0] = corner[r]->x - d.x;
        m[r][1] = corner[r]->y - d.y;
        m[r][2] = m[r][0] * m[r][0] + m[r][1] * m[r][1];
    }
    return m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) - m[1][2] * (m[0][0] * m[2][1] - m[0][1] * m[2][0]) +
           m[2][2] * (m[0][0] * m[1][1] - m[0][1] * m[1][0]);
}

void delaunay_edges(int points, int edges, const Point* point, const Edge* edge, uint8_t* kind, int32_t* flips)
{
    for (int v = 0; v < points; ++v) flips[v] = 0;
    for (int e = 0; e < edges; ++e) {
        const Point &a = point[edge[e].a], &b = point[edge[e].b], &c = point[edge[e].c], &d = point[edge[e].d];
        if (area(a, b, c) <= 0 || area(b, a, d) <= 0) kind[e] = 2;
        else kind[e] = in_circle(a, b, c, d) > 0;
        if (kind[e] == 1) {
            ++flips[edge[e].a];
            ++flips[edge[e].b];
        }
    }
}
