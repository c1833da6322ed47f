// Detector pulses: a warp has a waveform; its lanes take neighbouring samples and agree on base, peak and onset.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;

__global__ void measure(int pulses, int samples, int quiet, int gate, const uint16_t* __restrict__ wave, int32_t* base, int32_t* height,
                        int32_t* peak, int32_t* onset, int32_t* charge) {
    const int p = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (p >= pulses) return;
    const uint16_t* sample = wave + (size_t)p * samples;
    int sum = 0;
    for (int i = lane; i < quiet; i += 32) sum += sample[i];
    const int level = __reduce_add_sync(kAll, sum) / quiet;

    // The largest sample and, of equal ones, the first: the larger number has the smaller index.
    unsigned best = 0;
    for (int i = lane; i < samples; i += 32) best = max(best, (unsigned)sample[i] << 14 | (unsigned)(16383 - i));
    best = __reduce_max_sync(kAll, best);
    const int at = 16383 - (int)(best & 16383u), most = (int)(best >> 14) - level;

    int start = 0;
    for (int first = 0;; first += 32) {
        const int i = first + lane;
        const unsigned reached = __ballot_sync(kAll, i < samples && 2 * (sample[i] - level) >= most);
        if (reached == 0) continue;
        start = first + __ffs(reached) - 1;
        break;
    }

    const int end = min(start + gate, samples);
    int inside = 0;
    for (int i = start + lane; i < end; i += 32) inside += sample[i] - level;
    inside = __reduce_add_sync(kAll, inside);
    if (lane != 0) return;
    base[p] = level;
    height[p] = most;
    peak[p] = at;
    onset[p] = start;
    charge[p] = inside;
}

extern "C" void pulse_features(int pulses, int samples, int quiet, int gate, const uint16_t* wave, int32_t* base, int32_t* height,
                               int32_t* peak, int32_t* onset, int32_t* charge) {
    measure<<<(pulses - 1) / 4 + 1, 128>>>(pulses, samples, quiet, gate, wave, base, height, peak, onset, charge);
}
