#include <cstdint>

constexpr int kStates = 8, kSymbols = 20;

static void scale_to_one(float* p) {
    float sum = 0.0f;
    for (int s = 0; s < kStates; ++s) sum += p[s];
    for (int s = 0; s < kStates; ++s) p[s] /= sum;
}

// Posterior probabilities of the hidden states of protein chains, by the forward-backward algorithm.
void state_posteriors(int chains, int length, const uint8_t* residue, const float* start, const float* step, const float* emit,
                      float* posterior) {
    for (int c = 0; c < chains; ++c) {
        const uint8_t* seen = residue + (int64_t)c * length;
        float* p = posterior + (int64_t)c * length * kStates;
        for (int s = 0; s < kStates; ++s) p[s] = start[s] * emit[s * kSymbols + seen[0]];
        scale_to_one(p);
        for (int t = 1; t < length; ++t) {
            const float* before = p + (t - 1) * kStates;
            for (int s = 0; s < kStates; ++s) {
                float sum = 0.0f;
                for (int r = 0; r < kStates; ++r) sum += before[r] * step[r * kStates + s];
                p[t * kStates + s] = sum * emit[s * kSymbols + seen[t]];
            }
            scale_to_one(p + t * kStates);
        }
        float after[kStates], now[kStates];
        for (int s = 0; s < kStates; ++s) after[s] = 1.0f;
        for (int t = length - 2; t >= 0; --t) {
            for (int s = 0; s < kStates; ++s) {
                now[s] = 0.0f;
                for (int r = 0; r < kStates; ++r) now[s] += step[s * kStates + r] * emit[r * kSymbols + seen[t + 1]] * after[r];
            }
            scale_to_one(now);
            for (int s = 0; s < kStates; ++s) {
                after[s] = now[s];
                p[t * kStates + s] *= now[s];
            }
            scale_to_one(p + t * kStates);
        }
    }
}
