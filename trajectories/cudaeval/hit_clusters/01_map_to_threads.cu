// Clusters: one event a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void find(int events, int strips, int most, int noise, int seed, const uint16_t* reading, int* first, int* width, int* charge, int* moment, int* found) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= events) return;
    const uint16_t* row = reading + (size_t)e * strips;
    const size_t base = (size_t)e * most;
    for (int k = 0; k < most; ++k) {
        first[base + k] = -1;
        width[base + k] = charge[base + k] = moment[base + k] = 0;
    }
    int count = 0, begin = 0, sum = 0, lever = 0, top = 0;
    for (int s = 0; s <= strips; ++s) {
        const int value = s < strips ? row[s] : -1;
        if (value >= noise) {
            lever += value * (s - begin);
            sum += value;
            top = max(top, value);
            continue;
        }
        if (s > begin && top >= seed) {
            if (count < most) {
                first[base + count] = begin;
                width[base + count] = s - begin;
                charge[base + count] = sum;
                moment[base + count] = lever;
            }
            ++count;
        }
        begin = s + 1;
        sum = lever = top = 0;
    }
    found[e] = count;
}

extern "C" void hit_clusters(int events, int strips, int most, int32_t noise, int32_t seed, const uint16_t* reading, int32_t* first, int32_t* width,
                             int32_t* charge, int32_t* moment, int32_t* found) {
    find<<<(events + 63) / 64, 64>>>(events, strips, most, noise, seed, reading, first, width, charge, moment, found);
}
