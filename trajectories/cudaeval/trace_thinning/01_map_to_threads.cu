// Tracks: one track a thread.
#include <cuda_runtime.h>

#include <cstdint>

struct Fix { int32_t x, y, t; };

__global__ void thin(int tracks, long long apart, int pause, const int* start, const Fix* point, uint8_t* keep, int* kept, int64_t* length) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= tracks) return;
    const int from = start[t], to = start[t + 1];
    int count = 0, last = from;
    long long sum = 0;
    for (int i = from; i < to; ++i) {
        const long long dx = point[i].x - point[last].x, dy = point[i].y - point[last].y;
        const bool wanted = i == from || i == to - 1 || dx * dx + dy * dy > apart * apart || point[i].t - point[last].t > pause;
        keep[i] = wanted;
        if (!wanted) continue;
        sum += llabs(dx) + llabs(dy);
        last = i;
        ++count;
    }
    kept[t] = count;
    length[t] = sum;
}

extern "C" void trace_thinning(int tracks, int, int32_t apart, int32_t pause, const int32_t* start, const Fix* point, uint8_t* keep, int32_t* kept,
                               int64_t* length) {
    thin<<<(tracks + 63) / 64, 64>>>(tracks, apart, pause, start, point, keep, kept, length);
}
