// Posteriors of hidden states: probabilities are scaled every fourth place.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kStates = 8, kSymbols = 20;

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
    for (int t = 1; t < length; ++t) {
        float sum = 0.0f;
#pragma unroll
        for (int r = 0; r < kStates; ++r) sum += of_state(mine, r) * into[r];
        mine = sum * emit[s * kSymbols + seen[t]];
        if (t % 4 == 0) mine /= sum_of(mine);
        if (writes) p[t * kStates] = mine;
    }
    mine /= sum_of(mine);
    if (writes) p[(length - 1) * kStates] = mine;
    mine = 1.0f;
    for (int t = length - 2; t >= 0; --t) {
        const float weighed = emit[s * kSymbols + seen[t + 1]] * mine;
        mine = 0.0f;
#pragma unroll
        for (int r = 0; r < kStates; ++r) mine += from[r] * of_state(weighed, r);
        if (t % 4 == 0) mine /= sum_of(mine);
        const float joint = writes ? p[t * kStates] * mine : 0.0f, all = sum_of(joint);
        if (writes) p[t * kStates] = joint / all;
    }
}

extern "C" void state_posteriors(int chains, int length, const uint8_t* residue, const float* start, const float* step,
                                 const float* emit, float* posterior) {
    infer<<<(chains - 1) / 8 + 1, 64>>>(chains, length, residue, start, step, emit, posterior);
}
