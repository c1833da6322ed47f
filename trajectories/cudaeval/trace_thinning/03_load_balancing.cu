// Tracks: eight lanes a track, so that short jumps do not leave most lanes idle, and points wait in registers while the last kept one moves among them.
#include <cuda_runtime.h>

#include <cstdint>

struct Fix { int32_t x, y, t; };

__global__ void thin(int tracks, long long apart, int pause, const int* __restrict__ start, const Fix* __restrict__ point, uint8_t* __restrict__ keep,
                     int* __restrict__ kept, int64_t* __restrict__ length) {
    const int t = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8, shift = threadIdx.x % 32 / 8 * 8;
    const int from = t < tracks ? start[t] : 0, to = t < tracks ? start[t + 1] : 0;
    const unsigned group = 255u << shift;
    Fix last = from < to ? point[from] : Fix{0, 0, 0};
    int count = 0;
    long long sum = 0;
    for (int part = from; part < to; part += 8) {
        const int i = part + lane;
        const Fix own = i < to ? point[i] : Fix{0, 0, 0};
        bool mine = false;
        for (int done = 0; done < 8;) {
            const long long dx = own.x - last.x, dy = own.y - last.y;
            const bool wanted = i < to && lane >= done && (i == from || i == to - 1 || dx * dx + dy * dy > apart * apart || own.t - last.t > pause);
            const unsigned votes = __ballot_sync(group, wanted) >> shift & 255;
            if (!votes) break;
            const int first = __ffs(votes) - 1;
            if (lane == first) mine = true;
            const Fix next = {__shfl_sync(group, own.x, first, 8), __shfl_sync(group, own.y, first, 8), __shfl_sync(group, own.t, first, 8)};
            sum += abs(next.x - last.x) + abs(next.y - last.y);
            last = next;
            ++count;
            done = first + 1;
        }
        if (i < to) keep[i] = mine;
    }
    if (t < tracks && lane == 0) {
        kept[t] = count;
        length[t] = sum;
    }
}

extern "C" void trace_thinning(int tracks, int, int32_t apart, int32_t pause, const int32_t* start, const Fix* point, uint8_t* keep, int32_t* kept,
                               int64_t* length) {
    thin<<<(tracks + 15) / 16, 128>>>(tracks, apart, pause, start, point, keep, kept, length);
}
