// Hulls: one group a thread sorts its points by insertion and walks both chains.
#include <cuda_runtime.h>

#include <cstdint>

struct Point { int32_t x, y; };

__device__ int turn(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

// corners and twice the area of the hull of `count` different points in order
template <typename Sorted>
__device__ int2 hull_of(Sorted sorted, int count) {
    if (count == 1) return make_int2(1, 0);
    Point hull[65];
    int corners = 0;
    for (int way = 0; way < 2; ++way) {
        const int base = corners;
        for (int k = 0; k < count; ++k) {
            const Point next = sorted[way ? count - 1 - k : k];
            while (corners >= base + 2 && turn(hull[corners - 2], hull[corners - 1], next) <= 0) --corners;
            hull[corners++] = next;
        }
        --corners;
    }
    int area = 0;
    for (int k = 1; k + 1 < corners; ++k) area += turn(hull[0], hull[k], hull[k + 1]);
    return make_int2(corners, area);
}

__global__ void find(int groups, int points, const Point* point, int* corners, int* area, int* lowest) {
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= groups) return;
    const Point* own = point + (size_t)g * points;
    Point sorted[64];
    int count = 0, first = 0;
    for (int i = 0; i < points; ++i) {
        const Point p = own[i];
        if (p.x < own[first].x || (p.x == own[first].x && p.y < own[first].y)) first = i;
        int at = count;
        while (at > 0 && (sorted[at - 1].x > p.x || (sorted[at - 1].x == p.x && sorted[at - 1].y > p.y))) --at;
        if (at > 0 && sorted[at - 1].x == p.x && sorted[at - 1].y == p.y) continue;
        for (int k = count; k > at; --k) sorted[k] = sorted[k - 1];
        sorted[at] = p;
        ++count;
    }
    const int2 result = hull_of(sorted, count);
    corners[g] = result.x;
    area[g] = result.y;
    lowest[g] = first;
}

extern "C" void group_hulls(int groups, int points, const Point* point, int32_t* corners, int32_t* twice_area, int32_t* lowest) {
    find<<<(groups + 63) / 64, 64>>>(groups, points, point, corners, twice_area, lowest);
}
