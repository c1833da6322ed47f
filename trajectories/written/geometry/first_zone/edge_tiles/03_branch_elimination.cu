// First zone of each point; tiles of corners in shared memory, edge tests without branches.
#include <cuda_runtime.h>

#include <algorithm>

constexpr int kThreads = 256;
constexpr int kTileCorners = 2048;  // at least one zone: corners <= 256

__device__ bool inside(int px, int py, int corners, const int2* corner) {
    bool odd = false;
    int2 a = corner[corners - 1];
    for (int i = 0; i < corners; ++i) {
        int2 b = corner[i];
        const bool straddles = (a.y > py) != (b.y > py);
        const bool crosses = (px - a.x) * (b.y - a.y) < (py - a.y) * (b.x - a.x);
        odd ^= straddles & (crosses == (b.y > a.y));
        a = b;
    }
    return odd;
}

__global__ void find_zone(int points, int zones, int corners, int tile_zones, const int* x, const int* y,
                          const int* zone_x, const int* zone_y, const short* dx, const short* dy, int* zone) {
    __shared__ int2 tile[kTileCorners];
    const int p = blockIdx.x * kThreads + threadIdx.x;
    const int px = p < points ? x[p] : 0, py = p < points ? y[p] : 0;
    int found = p < points ? -1 : 0;
    for (int first = 0; first < zones; first += tile_zones) {
        const int present = min(tile_zones, zones - first);
        __syncthreads();
        for (int at = threadIdx.x; at < present * corners; at += kThreads) {
            const int z = first + at / corners;
            const size_t from = (size_t)first * corners + at;
            tile[at] = {zone_x[z] + dx[from], zone_y[z] + dy[from]};
        }
        __syncthreads();
        for (int z = 0; z < present && found < 0; ++z)
            if (inside(px, py, corners, tile + z * corners)) found = first + z;
    }
    if (p < points) zone[p] = found;
}

extern "C" void first_zone(int points, int zones, int corners, const int* x, const int* y, const int* zone_x,
                           const int* zone_y, const short* dx, const short* dy, int* zone) {
    const int tile_zones = std::min(zones, kTileCorners / corners);
    find_zone<<<(points - 1) / kThreads + 1, kThreads>>>(points, zones, corners, tile_zones, x, y, zone_x, zone_y, dx,
                                                         dy, zone);
}
