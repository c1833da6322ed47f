// Ragged polygons: one polygon a thread, two rounds along its corners.
#include <cuda_runtime.h>

#include <cstdint>

struct Corner {
    int32_t x, y;
};

__device__ long long cross(Corner o, Corner a, Corner b) {
    return (long long)(a.x - o.x) * (b.y - o.y) - (long long)(a.y - o.y) * (b.x - o.x);
}

__global__ void measure(int polygons, int corners, const int32_t* start, const Corner* corner, int64_t* twice, int32_t* reflex, int64_t* edges) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= polygons) return;
    const int begin = start[p], n = (p + 1 < polygons ? start[p + 1] : corners) - begin;
    const Corner* c = corner + begin;
    long long area = 0, length = 0;
    for (int i = 0; i < n; ++i) {
        const Corner next = c[(i + 1) % n];
        area += (long long)c[i].x * next.y - (long long)next.x * c[i].y;
        length += abs(next.x - c[i].x) + abs(next.y - c[i].y);
    }
    int against = 0;
    for (int i = 0; n >= 3 && i < n; ++i) {
        const long long turn = cross(c[i], c[(i + 1) % n], c[(i + 2) % n]);
        against += area > 0 ? turn < 0 : area < 0 && turn > 0;
    }
    twice[p] = n >= 3 ? area : 0;
    reflex[p] = against;
    edges[p] = length;
}

extern "C" void ragged_polygons(int polygons, int corners, const int32_t* start, const Corner* corner, int64_t* twice, int32_t* reflex, int64_t* edges) {
    measure<<<(polygons + 127) / 128, 128>>>(polygons, corners, start, corner, twice, reflex, edges);
}
