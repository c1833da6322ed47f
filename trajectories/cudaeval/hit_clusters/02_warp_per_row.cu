// Clusters: a warp takes an event; the lane at the left end of a run walks it, and votes give the runs their places.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void find(int events, int strips, int most, int noise, int seed, const uint16_t* reading, int* first, int* width, int* charge, int* moment, int* found) {
    const int e = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (e >= events) return;
    const uint16_t* row = reading + (size_t)e * strips;
    const size_t base = (size_t)e * most;
    int count = 0;
    for (int from = 0; from < strips; from += 32) {
        const int s = from + lane;
        int end = s, sum = 0, lever = 0, top = 0;
        if (s < strips && row[s] >= noise && (s == 0 || row[s - 1] < noise))
            for (; end < strips && row[end] >= noise; ++end) {
                const int value = row[end];
                lever += value * (end - s);
                sum += value;
                top = max(top, value);
            }
        const bool kept = end > s && top >= seed;
        const unsigned all = __ballot_sync(0xffffffffu, kept);
        const int place = count + __popc(all & ((1u << lane) - 1));
        if (kept && place < most) {
            first[base + place] = s;
            width[base + place] = end - s;
            charge[base + place] = sum;
            moment[base + place] = lever;
        }
        count += __popc(all);
    }
    for (int k = count + lane; k < most; k += 32) {
        first[base + k] = -1;
        width[base + k] = charge[base + k] = moment[base + k] = 0;
    }
    if (lane == 0) found[e] = count;
}

extern "C" void hit_clusters(int events, int strips, int most, int32_t noise, int32_t seed, const uint16_t* reading, int32_t* first, int32_t* width,
                             int32_t* charge, int32_t* moment, int32_t* found) {
    find<<<(events + 3) / 4, 128>>>(events, strips, most, noise, seed, reading, first, width, charge, moment, found);
}
