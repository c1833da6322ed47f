// Clusters: readings of 256 strips wait in shared memory; only runs that leave it are walked outside.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void find(int events, int strips, int most, int noise, int seed, const uint16_t* __restrict__ reading, int* __restrict__ first,
                     int* __restrict__ width, int* __restrict__ charge, int* __restrict__ moment, int* __restrict__ found) {
    __shared__ uint16_t tile[4][258];
    const int e = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (e >= events) return;
    const uint16_t* row = reading + (size_t)e * strips;
    uint16_t* own = tile[threadIdx.x / 32];
    const size_t base = (size_t)e * most;
    int count = 0;
    for (int part = 0; part < strips; part += 256) {
        const int last = min(part + 256, strips);
        for (int s = part + lane; s < last; s += 32) own[s - part + 1] = row[s];
        if (lane == 0) own[0] = part ? row[part - 1] : 0;
        __syncwarp();
        for (int from = part; from < last; from += 32) {
            const int s = from + lane;
            int end = s, sum = 0, lever = 0, top = 0;
            if (s < last && own[s - part + 1] >= noise && (s == 0 || own[s - part] < noise))
                for (; end < strips; ++end) {
                    const int value = end < last ? own[end - part + 1] : row[end];
                    if (value < noise) break;
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
        __syncwarp();
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
