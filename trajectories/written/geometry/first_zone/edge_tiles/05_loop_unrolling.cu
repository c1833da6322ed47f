// First zone of each point, four points per thread, edge loop unrolled by four.
#include <cuda_runtime.h>

#include <algorithm>

constexpr int kThreads = 256;
constexpr int kTileCorners = 2048;  // at least one zone: corners <= 256
constexpr int kPoints = 4;          // per thread

// Bit k of the result: whether point k is inside.
__device__ unsigned int inside(const int (&px)[kPoints], const int (&py)[kPoints], int corners, const int2* corner) {
    unsigned int odd = 0;
    int2 a = corner[corners - 1];
#pragma unroll 4
    for (int i = 0; i < corners; ++i) {
        int2 b = corner[i];
        const int along_x = b.x - a.x, along_y = b.y - a.y;
        const bool upwards = along_y > 0;
#pragma unroll
        for (int k = 0; k < kPoints; ++k) {
            const bool straddles = (a.y > py[k]) != (b.y > py[k]);
            const bool crosses = (px[k] - a.x) * along_y < (py[k] - a.y) * along_x;
            odd ^= (unsigned int)(straddles & (crosses == upwards)) << k;
        }
        a = b;
    }
    return odd;
}

__global__ void find_zone(int points, int zones, int corners, int tile_zones, const int* x, const int* y,
                          const int* zone_x, const int* zone_y, const short* dx, const short* dy, int* zone) {
    __shared__ int2 tile[kTileCorners];
    const int p0 = blockIdx.x * kThreads * kPoints + threadIdx.x;
    int px[kPoints], py[kPoints], found[kPoints];
    unsigned int open = 0;  // bit k: point k has no zone yet
#pragma unroll
    for (int k = 0; k < kPoints; ++k) {
        const int p = p0 + k * kThreads;
        px[k] = p < points ? x[p] : 0;
        py[k] = p < points ? y[p] : 0;
        found[k] = -1;
        open |= (unsigned int)(p < points) << k;
    }
    for (int first = 0; first < zones; first += tile_zones) {
        const int present = min(tile_zones, zones - first);
        __syncthreads();
        for (int at = threadIdx.x; at < present * corners; at += kThreads) {
            const int z = first + at / corners;
            const size_t from = (size_t)first * corners + at;
            tile[at] = {zone_x[z] + dx[from], zone_y[z] + dy[from]};
        }
        __syncthreads();
        for (int z = 0; z < present && open != 0; ++z) {
            const unsigned int hit = open & inside(px, py, corners, tile + z * corners);
#pragma unroll
            for (int k = 0; k < kPoints; ++k)
                if (hit >> k & 1u) found[k] = first + z;
            open &= ~hit;
        }
    }
#pragma unroll
    for (int k = 0; k < kPoints; ++k)
        if (p0 + k * kThreads < points) zone[p0 + k * kThreads] = found[k];
}

extern "C" void first_zone(int points, int zones, int corners, const int* x, const int* y, const int* zone_x,
                           const int* zone_y, const short* dx, const short* dy, int* zone) {
    const int tile_zones = std::min(zones, kTileCorners / corners);
    find_zone<<<(points - 1) / (kThreads * kPoints) + 1, kThreads>>>(points, zones, corners, tile_zones, x, y, zone_x, zone_y, dx,
                                                         dy, zone);
}
