// First zone of each point, one thread per point.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__device__ bool inside(int px, int py, int ox, int oy, int corners, const short* dx, const short* dy) {
    bool odd = false;
    long long ax = ox + dx[corners - 1], ay = oy + dy[corners - 1];
    for (int i = 0; i < corners; ++i) {
        long long bx = ox + dx[i], by = oy + dy[i];
        if ((ay > py) != (by > py)) {
            long long left = (px - ax) * (by - ay), right = (py - ay) * (bx - ax);
            if ((left < right) == (by > ay)) odd = !odd;
        }
        ax = bx;
        ay = by;
    }
    return odd;
}

__global__ void find_zone(int points, int zones, int corners, const int* x, const int* y, const int* zone_x,
                          const int* zone_y, const short* dx, const short* dy, int* zone) {
    int p = blockIdx.x * kThreads + threadIdx.x;
    if (p >= points) return;
    int found = -1;
    for (int z = 0; z < zones && found < 0; ++z) {
        const size_t first = (size_t)z * corners;
        if (inside(x[p], y[p], zone_x[z], zone_y[z], corners, dx + first, dy + first)) found = z;
    }
    zone[p] = found;
}

extern "C" void first_zone(int points, int zones, int corners, const int* x, const int* y, const int* zone_x,
                           const int* zone_y, const short* dx, const short* dy, int* zone) {
    find_zone<<<(points - 1) / kThreads + 1, kThreads>>>(points, zones, corners, x, y, zone_x, zone_y, dx, dy, zone);
}
