// Nearest segments: a segment whose whole line is farther than the best so far is left out, which two products show.
#include <cuda_runtime.h>

#include <cstdint>

struct Point {
    int32_t x, y;
};
struct Segment {
    int32_t ax, ay, bx, by;
};

struct Lane {
    int ax, ay, dx, dy;
    long long length, part;  // of its 1024ths, as the division wants them
    double inverse;          // of part
    float share;             // one by its length, a little less
};

// along / part for a quotient below 1024: a product with the inverse is off by one at most.
__device__ int quotient(long long along, const Lane& s) {
    int t = (int)((double)along * s.inverse);
    if (t * s.part > along) --t;
    else if ((t + 1) * s.part <= along) ++t;
    return t;
}

__device__ long long square(int x) { return (long long)x * x; }

// In 32 bits whatever fits: differences of places do, products do not. A foot point is rounded, so that it lies within two of the line.
__device__ long long squared_distance(const Lane& s, Point p, long long least, float reach) {
    const int px = p.x - s.ax, py = p.y - s.ay;
    const float from_line = fabsf((float)((long long)s.dx * py - (long long)s.dy * px)) * s.share;
    if (from_line > reach) return least;
    const int out_x = max(max(min(s.dx, 0) - px, px - max(s.dx, 0)), 0), out_y = max(max(min(s.dy, 0) - py, py - max(s.dy, 0)), 0);
    if (square(out_x) + square(out_y) >= least) return least;  // a foot point lies in the box
    const long long along = (long long)s.dx * px + (long long)s.dy * py;
    int t = 0;
    if (along > 0) t = along >= s.length ? 1024 : quotient(along, s);
    return square(px - (int)((long long)s.dx * t >> 10)) + square(py - (int)((long long)s.dy * t >> 10));
}

__global__ void search(int vehicles, int segments, const Point* vehicle, const Segment* segment, int32_t* nearest, int64_t* squared, int32_t* side) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ Lane tile[128];
    const Point p = vehicle[min(v, vehicles - 1)];
    int best = 0;
    long long least = 0x7fffffffffffffffll;
    float reach = INFINITY;  // how far from a line its segment may still be the nearest
    for (int from = 0; from < segments; from += 128) {
        __syncthreads();
        if (from + (int)threadIdx.x < segments) {
            const Segment s = segment[from + threadIdx.x];
            const int dx = s.bx - s.ax, dy = s.by - s.ay;
            const long long length = (long long)dx * dx + (long long)dy * dy, part = length / 1024 + 1;
            tile[threadIdx.x] = {s.ax, s.ay, dx, dy, length, part, 1.0 / (double)part, length > 0 ? 0.9999f * rsqrtf((float)length) : 0.0f};
        }
        __syncthreads();
        for (int k = 0; k < min(128, segments - from); ++k) {
            const long long d = squared_distance(tile[k], p, least, reach);
            if (d < least) {
                least = d;
                best = from + k;
                reach = 1.0001f * sqrtf((float)least) + 3.0f;
            }
        }
    }
    if (v >= vehicles) return;
    const Segment at = segment[best];
    const long long cross = (long long)(at.bx - at.ax) * (p.y - at.ay) - (long long)(at.by - at.ay) * (p.x - at.ax);
    nearest[v] = best;
    squared[v] = least;
    side[v] = (cross > 0) - (cross < 0);
}

extern "C" void nearest_hulls(int vehicles, int segments, const Point* vehicle, const Segment* segment, int32_t* nearest, int64_t* squared,
                              int32_t* side) {
    search<<<(vehicles + 127) / 128, 128>>>(vehicles, segments, vehicle, segment, nearest, squared, side);
}
