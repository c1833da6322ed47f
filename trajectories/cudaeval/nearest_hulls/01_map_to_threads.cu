// Nearest segments: one vehicle a thread over all segments.
#include <cuda_runtime.h>

#include <cstdint>

struct Point {
    int32_t x, y;
};
struct Segment {
    int32_t ax, ay, bx, by;
};

__device__ long long squared_distance(Segment s, Point p) {
    const long long dx = s.bx - s.ax, dy = s.by - s.ay, px = p.x - s.ax, py = p.y - s.ay;
    const long long length = dx * dx + dy * dy, along = dx * px + dy * py;
    long long t = 0;
    if (length > 0 && along > 0) t = along >= length ? 1024 : along / (length / 1024 + 1);
    const long long ex = px - (dx * t >> 10), ey = py - (dy * t >> 10);
    return ex * ex + ey * ey;
}

__global__ void search(int vehicles, int segments, const Point* vehicle, const Segment* segment, int32_t* nearest, int64_t* squared, int32_t* side) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vehicles) return;
    const Point p = vehicle[v];
    int best = 0;
    long long least = 0x7fffffffffffffffll;
    for (int s = 0; s < segments; ++s) {
        const long long d = squared_distance(segment[s], p);
        if (d < least) {
            least = d;
            best = s;
        }
    }
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
