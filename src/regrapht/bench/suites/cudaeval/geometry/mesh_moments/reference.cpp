#include <cstdint>

struct Point { int32_t x, y, z; };
struct Moment { int64_t x, y, z; };
struct Triangle { int32_t a, b, c; };

static Moment cross(const Point& p, const Point& q)
{
    return {(int64_t)p.y * q.z - (int64_t)p.z * q.y, (int64_t)p.z * q.x - (int64_t)p.x * q.z, (int64_t)p.x * q.y - (int64_t)p.y * q.x};
}

static Point minus(const Point& p, const Point& q) { return {p.x - q.x, p.y - q.y, p.z - q.z}; }

void mesh_moments(int meshes, int triangles, int vertices, const int32_t* start, const Triangle* triangle, const Point* vertex, int64_t* volume, Moment* moment,
                  int32_t* flat)
{
    (void)triangles;
    (void)vertices;
    for (int m = 0; m < meshes; ++m) {
        volume[m] = 0;
        moment[m] = {0, 0, 0};
        flat[m] = 0;
        for (const Triangle* t = triangle + start[m]; t != triangle + start[m + 1]; ++t) {
            const Point &a = vertex[t->a], &b = vertex[t->b], &c = vertex[t->c];
            const Moment area = cross(b, c);
            const int64_t d = a.x * area.x + a.y * area.y + a.z * area.z;
            volume[m] += d;
            moment[m].x += d * (a.x + b.x + c.x);
            moment[m].y += d * (a.y + b.y + c.y);
            moment[m].z += d * (a.z + b.z + c.z);
            const Moment normal = cross(minus(b, a), minus(c, a));
            flat[m] += !normal.x && !normal.y && !normal.z;
        }
    }
}
