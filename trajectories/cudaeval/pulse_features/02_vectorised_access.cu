// Detector pulses: a lane reads eight neighbouring samples at once where waveforms are aligned for it.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;

// Samples i .. i + 7 of a waveform; those beyond its end are 0.
struct Eight {
    int value[8];

    __device__ Eight(const uint16_t* sample, int i, int samples, bool aligned) {
        if (aligned && i < samples) {  // whole eights only
            const uint4 words = *(const uint4*)(sample + i);
            const unsigned word[4] = {words.x, words.y, words.z, words.w};
            for (int k = 0; k < 8; ++k) value[k] = word[k / 2] >> (k % 2 * 16) & 65535u;
        } else {
            for (int k = 0; k < 8; ++k) value[k] = i + k < samples ? sample[i + k] : 0;
        }
    }
};

__global__ void measure(int pulses, int samples, int quiet, int gate, bool aligned, const uint16_t* __restrict__ wave, int32_t* base,
                        int32_t* height, int32_t* peak, int32_t* onset, int32_t* charge) {
    const int p = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (p >= pulses) return;
    const uint16_t* sample = wave + (size_t)p * samples;

    // The largest sample and, of equal ones, the first: the larger number has the smaller index.
    int sum = 0;
    unsigned best = 0;
    for (int i = 8 * lane; i < samples; i += 256) {
        const Eight eight(sample, i, samples, aligned);
        for (int k = 0; k < 8; ++k) {
            if (i + k < quiet) sum += eight.value[k];
            if (i + k < samples) best = max(best, (unsigned)eight.value[k] << 14 | (unsigned)(16383 - i - k));
        }
    }
    const int level = __reduce_add_sync(kAll, sum) / quiet;
    best = __reduce_max_sync(kAll, best);
    const int at = 16383 - (int)(best & 16383u), most = (int)(best >> 14) - level;

    int start = samples;
    for (int first = 0; start == samples; first += 256) {
        const int i = first + 8 * lane;
        const Eight eight(sample, i, samples, aligned);
        for (int k = 7; k >= 0; --k)
            if (i + k < samples && 2 * (eight.value[k] - level) >= most) start = i + k;
        start = __reduce_min_sync(kAll, start);
    }

    const int end = min(start + gate, samples);
    int inside = 0;
    for (int i = start / 8 * 8 + 8 * lane; i < end; i += 256) {
        const Eight eight(sample, i, samples, aligned);
        for (int k = 0; k < 8; ++k)
            if (i + k >= start && i + k < end) inside += eight.value[k] - level;
    }
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
    const bool aligned = samples % 8 == 0 && (uintptr_t)wave % 16 == 0;
    measure<<<(pulses - 1) / 4 + 1, 128>>>(pulses, samples, quiet, gate, aligned, wave, base, height, peak, onset, charge);
}
