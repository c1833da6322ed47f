// Posteriors of hidden states: one thread a chain.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kStates = 8, kSymbols = 20;

__device__ void scale_to_one(float* p) {
    float sum = 0.0f;
    for (int s = 0; s < kStates; ++s) sum += p[s];
    for (int s = 0; s < kStates; ++s) p[s] /= sum;
}

__global__ void infer(int chains, int length, const uint8_t* residue, const float* start, const float* step, const float* emit,
                      float* posterior) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= chains) return;
    const uint8_t* seen = residue + (long long)c * length;
    float* p = posterior + (long long)c * length * kStates;
    float last[kStates], now[kStates];
    for (int s = 0; s < kStates; ++s) last[s] = start[s] * emit[s * kSymbols + seen[0]];
    scale_to_one(last);
    for (int s = 0; s < kStates; ++s) p[s] = last[s];
    for (int t = 1; t < length; ++t) {
        for (int s = 0; s < kStates; ++s) {
            float sum = 0.0f;
            for (int r = 0; r < kStates; ++r) sum += last[r] * step[r * kStates + s];
            now[s] = sum * emit[s * kSymbols + seen[t]];
        }
        scale_to_one(now);
        for (int s = 0; s < kStates; ++s) last[s] = p[t * kStates + s] = now[s];
    }
    for (int s = 0; s < kStates; ++s) last[s] = 1.0f;
    for (int t = length - 2; t >= 0; --t) {
        for (int s = 0; s < kStates; ++s) {
            now[s] = 0.0f;
            for (int r = 0; r < kStates; ++r) now[s] += step[s * kStates + r] * emit[r * kSymbols + seen[t + 1]] * last[r];
        }
        scale_to_one(now);
        float joint[kStates];
        for (int s = 0; s < kStates; ++s) {
            last[s] = now[s];
            joint[s] = p[t * kStates + s] * now[s];
        }
        scale_to_one(joint);
        for (int s = 0; s < kStates; ++s) p[t * kStates + s] = joint[s];
    }
}

extern "C" void state_posteriors(int chains, int length, const uint8_t* residue, const float* start, const float* step,
                                 const float* emit, float* posterior) {
    infer<<<(chains - 1) / 64 + 1, 64>>>(chains, length, residue, start, step, emit, posterior);
}
