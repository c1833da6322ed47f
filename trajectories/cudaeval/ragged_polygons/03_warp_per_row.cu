// Ragged polygons: a warp has a polygon; lanes take its corners side by side.
#include <cuda_runtime.h>

#include <cstdint>

struct Corner {
    int32_t x, y;
};

__device__ long long cross(Corner o, Corner a, Corner b) {
    return (long long)(a.x - o.x) * (b.y - o.y) - (long long)(a.y - o.y) * (b.x - o.x);
}

__global__ void measure(int polygons, int corners, const int32_t* start, const Corner* corner, int64_t* twice, int32_t* reflex, int64_t* edges) {
    const int p = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (p >= polygons) return;
    const int begin = start[p], n = (p + 1 < polygons ? start[p + 1] : corners) - begin;
    const Corner* c = corner + begin;
    long long area = 0, length = 0;
    int left = 0, right = 0;
    for (int i = lane; i < n; i += 32) {
        const Corner next = c[i + 1 < n ? i + 1 : 0];
        const long long turn = cross(c[i], next, c[i + 2 < n ? i + 2 : (i + 2) % n]);
        left += turn > 0;
        right += turn < 0;
        area += (long long)c[i].x * next.y - (long long)next.x * c[i].y;
        length += abs(next.x - c[i].x) + abs(next.y - c[i].y);
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        area += __shfl_xor_sync(0xffffffffu, area, apart);
        length += __shfl_xor_sync(0xffffffffu, length, apart);
    }
    left = __reduce_add_sync(0xffffffffu, left);
    right = __reduce_add_sync(0xffffffffu, right);
    if (lane) return;
    twice[p] = n >= 3 ? area : 0;
    reflex[p] = n < 3 || area == 0 ? 0 : area > 0 ? right : left;
    edges[p] = length;
}

extern "C" void ragged_polygons(int polygons, int corners, const int32_t* start, const Corner* corner, int64_t* twice, int32_t* reflex, int64_t* edges) {
    measure<<<(polygons + 3) / 4, 128>>>(polygons, corners, start, corner, twice, reflex, edges);
}
