// First zone of each point, one thread per point; bounding boxes come first.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__device__ bool inside(int px, int py, int ox, int oy, int corners, const short* dx, const short* dy) {
    bool odd = false;
    int ax = ox + dx[corners - 1], ay = oy + dy[corners - 1];
    for (int i = 0; i < corners; ++i) {
        int bx = ox + dx[i], by = oy + dy[i];
        if ((ay > py) != (by > py)) {
            int left = (px - ax) * (by - ay), right = (py - ay) * (bx - ax);
            if ((left < right) == (by > ay)) odd = !odd;
        }
        ax = bx;
        ay = by;
    }
    return odd;
}

// The box of zone z: smallest x, smallest y, largest x, largest y.
__global__ void bound_zones(int zones, int corners, const int* zone_x, const int* zone_y, const short* dx,
                            const short* dy, int4* box) {
    int z = blockIdx.x * kThreads + threadIdx.x;
    if (z >= zones) return;
    const short *zdx = dx + (size_t)z * corners, *zdy = dy + (size_t)z * corners;
    int4 b = {zdx[0], zdy[0], zdx[0], zdy[0]};
    for (int i = 1; i < corners; ++i)
        b = {min(b.x, (int)zdx[i]), min(b.y, (int)zdy[i]), max(b.z, (int)zdx[i]), max(b.w, (int)zdy[i])};
    box[z] = {b.x + zone_x[z], b.y + zone_y[z], b.z + zone_x[z], b.w + zone_y[z]};
}

__global__ void find_zone(int points, int zones, int corners, const int* x, const int* y, const int* zone_x,
                          const int* zone_y, const short* dx, const short* dy, const int4* box, int* zone) {
    int p = blockIdx.x * kThreads + threadIdx.x;
    if (p >= points) return;
    const int px = x[p], py = y[p];
    int found = -1;
    for (int z = 0; z < zones && found < 0; ++z) {
        const int4 b = box[z];
        if (px < b.x || px > b.z || py < b.y || py > b.w) continue;
        const size_t first = (size_t)z * corners;
        if (inside(px, py, zone_x[z], zone_y[z], corners, dx + first, dy + first)) found = z;
    }
    zone[p] = found;
}

extern "C" void first_zone(int points, int zones, int corners, const int* x, const int* y, const int* zone_x,
                           const int* zone_y, const short* dx, const short* dy, int* zone) {
    int4* box = nullptr;
    cudaMalloc(&box, zones * sizeof(int4));
    bound_zones<<<(zones - 1) / kThreads + 1, kThreads>>>(zones, corners, zone_x, zone_y, dx, dy, box);
    find_zone<<<(points - 1) / kThreads + 1, kThreads>>>(points, zones, corners, x, y, zone_x, zone_y, dx, dy, box,
                                                         zone);
    cudaFree(box);
}
