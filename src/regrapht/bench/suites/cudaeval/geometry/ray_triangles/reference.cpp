#include <cstdint>

struct Ray { int32_t x, y, z, dx, dy, dz; };
struct Triangle { int32_t ax, ay, az, bx, by, bz, cx, cy, cz; };

struct Vector {
    int64_t x, y, z;
    Vector cross(const Vector& o) const { return {y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x}; }
    int64_t dot(const Vector& o) const { return x * o.x + y * o.y + z * o.z; }
};

struct Depth {
    int64_t w, det;
    bool nearer(const Depth& o) const { return (__int128)w * o.det < (__int128)o.w * det; }
};

static bool meets(const Ray& r, const Triangle& t, Depth& depth)
{
    const Vector e1{t.bx - t.ax, t.by - t.ay, t.bz - t.az}, e2{t.cx - t.ax, t.cy - t.ay, t.cz - t.az}, d{r.dx, r.dy, r.dz};
    const Vector s{r.x - t.ax, r.y - t.ay, r.z - t.az}, p = d.cross(e2), q = s.cross(e1);
    const int64_t det = e1.dot(p), u = s.dot(p), v = d.dot(q);
    depth = {e2.dot(q), det};
    return det > 0 && u >= 0 && v >= 0 && u + v <= det && depth.w >= 0;
}

void ray_triangles(int rays, int triangles, const Ray* ray, const Triangle* triangle, int32_t* hit, int32_t* seen)
{
    for (int t = 0; t < triangles; ++t) seen[t] = 0;
    for (int r = 0; r < rays; ++r) {
        Depth best{0, 0}, depth;
        hit[r] = -1;
        for (int t = 0; t < triangles; ++t) {
            if (!meets(ray[r], triangle[t], depth)) continue;
            if (hit[r] < 0 || depth.nearer(best)) {
                hit[r] = t;
                best = depth;
            }
        }
        if (hit[r] >= 0) ++seen[hit[r]];
    }
}
