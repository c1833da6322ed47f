// Posteriors of hidden states: probabilities are what four places need from memory is loaded before the first of them.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kStates = 8, kSymbols = 20;
constexpr int kAhead = 4;  // places whose needs are loaded at once

// A chain has eight lanes of a warp, a state each.
__device__ float of_state(float mine, int s) { return __shfl_sync(0xffffffffu, mine, s, kStates); }

__device__ float sum_of(float mine) {
    for (int apart = 4; apart > 0; apart /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, apart);
    return mine;
}

__global__ void infer(int chains, int length, const uint8_t* residue, const float* start, const float* step, const float* emit,
                      float* posterior) {
    const int wanted = (blockIdx.x * blockDim.x + threadIdx.x) / kStates, s = threadIdx.x % kStates;
    const int c = min(wanted, chains - 1);  // lanes without a chain go along with the last one and write nothing
    const bool writes = wanted < chains;
    const uint8_t* seen = residue + (long long)c * length;
    float* p = posterior + (long long)c * length * kStates + s;
    float from[kStates], into[kStates];  // the transitions into this state and out of it
#pragma unroll
    for (int r = 0; r < kStates; ++r) {
        into[r] = step[r * kStates + s];
        from[r] = step[s * kStates + r];
    }
    // Posteriors are scaled at the end, so that the rest is scaled only now and then, against underflow.
    float mine = start[s] * emit[s * kSymbols + seen[0]];
    mine /= sum_of(mine);
    if (writes) p[0] = mine;
    for (int first = 1; first < length; first += kAhead) {
        float chance[kAhead];
#pragma unroll
        for (int k = 0; k < kAhead; ++k) chance[k] = emit[s * kSymbols + seen[min(first + k, length - 1)]];
#pragma unroll
        for (int k = 0; k < kAhead; ++k) {
            if (first + k >= length) break;
            float sum = 0.0f;
#pragma unroll
            for (int r = 0; r < kStates; ++r) sum += of_state(mine, r) * into[r];
            mine = sum * chance[k];
            if (k == kAhead - 1) mine /= sum_of(mine);
            if (writes) p[(first + k) * kStates] = mine;
        }
    }
    mine /= sum_of(mine);
    if (writes) p[(length - 1) * kStates] = mine;
    mine = 1.0f;
    for (int first = length - 2; first >= 0; first -= kAhead) {
        float chance[kAhead], forward[kAhead];
#pragma unroll
        for (int k = 0; k < kAhead; ++k) {
            const int t = max(first - k, 0);
            chance[k] = emit[s * kSymbols + seen[t + 1]];
            forward[k] = writes ? p[t * kStates] : 0.0f;
        }
#pragma unroll
        for (int k = 0; k < kAhead; ++k) {
            if (first - k < 0) break;
            const float weighed = chance[k] * mine;
            mine = 0.0f;
#pragma unroll
            for (int r = 0; r < kStates; ++r) mine += from[r] * of_state(weighed, r);
            if (k == kAhead - 1) mine /= sum_of(mine);
            const float joint = forward[k] * mine, all = sum_of(joint);
            if (writes) p[(first - k) * kStates] = joint / all;
        }
    }
}

extern "C" void state_posteriors(int chains, int length, const uint8_t* residue, const float* start, const float* step,
                                 const float* emit, float* posterior) {
    infer<<<(chains - 1) / 8 + 1, 64>>>(chains, length, residue, start, step, emit, posterior);
}
