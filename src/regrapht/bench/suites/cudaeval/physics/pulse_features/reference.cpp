#include <algorithm>
#include <cstdint>

void pulse_features(int pulses, int samples, int quiet, int gate, const uint16_t* wave, int32_t* base, int32_t* height, int32_t* peak,
                    int32_t* onset, int32_t* charge) {
    for (int p = 0; p < pulses; ++p) {
        const uint16_t* sample = wave + (int64_t)p * samples;

        int32_t sum = 0;
        for (int i = 0; i < quiet; ++i) sum += sample[i];
        const int32_t level = sum / quiet;

        int at = 0;
        for (int i = 1; i < samples; ++i)
            if (sample[i] > sample[at]) at = i;
        const int32_t most = sample[at] - level;

        int start = 0;
        while (2 * (sample[start] - level) < most) ++start;

        const int end = std::min(start + gate, samples);
        int32_t inside = 0;
        for (int i = start; i < end; ++i) inside += sample[i] - level;

        base[p] = level;
        height[p] = most;
        peak[p] = at;
        onset[p] = start;
        charge[p] = inside;
    }
}
