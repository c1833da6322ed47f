#include <algorithm>
#include <cstdint>
#include <vector>

constexpr int kStates = 16, kSymbols = 8;

void viterbi_paths(int strings, int length, const uint8_t* text, const int32_t* used, const int16_t* emit, const int16_t* step,
                   uint8_t* path, int32_t* total) {
    std::vector<uint8_t> back((size_t)length * kStates);
    for (int r = 0; r < strings; ++r) {
        const uint8_t* symbol = text + (int64_t)r * length;
        uint8_t* state = path + (int64_t)r * length;
        const int end = used[r];
        std::fill(state + end, state + length, (uint8_t)255);
        total[r] = 0;
        if (end == 0) continue;
        int32_t score[kStates], next[kStates];
        for (int s = 0; s < kStates; ++s) score[s] = emit[s * kSymbols + symbol[0]];
        for (int t = 1; t < end; ++t) {
            for (int s = 0; s < kStates; ++s) {
                int best = 0;
                for (int p = 1; p < kStates; ++p)
                    if (score[p] + step[p * kStates + s] > score[best] + step[best * kStates + s]) best = p;
                next[s] = score[best] + step[best * kStates + s] + emit[s * kSymbols + symbol[t]];
                back[(size_t)t * kStates + s] = (uint8_t)best;
            }
            std::copy(next, next + kStates, score);
        }
        int s = (int)(std::max_element(score, score + kStates) - score);
        total[r] = score[s];
        for (int t = end - 1; t > 0; --t) {
            state[t] = (uint8_t)s;
            s = back[(size_t)t * kStates + s];
        }
        state[0] = (uint8_t)s;
    }
}
