// Tracks: a warp takes a track and looks at 32 points at once for the next one to keep.
#include <cuda_runtime.h>

#include <cstdint>

struct Fix { int32_t x, y, t; };

__global__ void thin(int tracks, long long apart, int pause, const int* start, const Fix* point, uint8_t* keep, int* kept, int64_t* length) {
    const int t = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (t >= tracks) return;
    const int from = start[t], to = start[t + 1];
    int count = 0, last = from;
    long long sum = 0;
    for (int at = from; at < to;) {
        const int i = at + lane;
        bool wanted = false;
        long long step = 0;
        if (i < to) {
            const long long dx = point[i].x - point[last].x, dy = point[i].y - point[last].y;
            wanted = i == from || i == to - 1 || dx * dx + dy * dy > apart * apart || point[i].t - point[last].t > pause;
            step = llabs(dx) + llabs(dy);
        }
        const unsigned votes = __ballot_sync(0xffffffffu, wanted);
        const int first = votes ? __ffs(votes) - 1 : 32;
        if (i < to && lane <= first) keep[i] = lane == first;
        if (first < 32) {
            sum += __shfl_sync(0xffffffffu, step, first);
            last = at + first;
            ++count;
        }
        at += min(first + 1, 32);
    }
    if (lane == 0) {
        kept[t] = count;
        length[t] = sum;
    }
}

extern "C" void trace_thinning(int tracks, int, int32_t apart, int32_t pause, const int32_t* start, const Fix* point, uint8_t* keep, int32_t* kept,
                               int64_t* length) {
    thin<<<(tracks + 3) / 4, 128>>>(tracks, apart, pause, start, point, keep, kept, length);
}
