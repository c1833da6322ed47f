#include <cstdint>
#include <cstdlib>

struct Corner {
    int32_t x, y;
};

static int64_t cross(const Corner& o, const Corner& a, const Corner& b)
{
    return (int64_t)(a.x - o.x) * (b.y - o.y) - (int64_t)(a.y - o.y) * (b.x - o.x);
}

void ragged_polygons(int polygons, int corners, const int32_t* start, const Corner* corner, int64_t* twice, int32_t* reflex, int64_t* edges)
{
    for (int p = 0; p < polygons; ++p) {
        const int begin = start[p], n = (p + 1 < polygons ? start[p + 1] : corners) - begin;
        const Corner* c = corner + begin;
        int64_t area = 0, length = 0;
        for (int i = 0; i < n; ++i) {
            const Corner& next = c[(i + 1) % n];
            area += (int64_t)c[i].x * next.y - (int64_t)next.x * c[i].y;
            length += std::abs(next.x - c[i].x) + std::abs(next.y - c[i].y);
        }
        int against = 0;
        for (int i = 0; n >= 3 && i < n; ++i) {
            const int64_t turn = cross(c[i], c[(i + 1) % n], c[(i + 2) % n]);
            against += area > 0 ? turn < 0 : area < 0 && turn > 0;
        }
        twice[p] = n >= 3 ? area : 0;
        reflex[p] = against;
        edges[p] = length;
    }
}
