// Posteriors of hidden states: probabilities are scaled every fourth place.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kStates = 8, kSymbols = 20;

constexpr int kThreads = 64, kChains = kThreads / kStates;  // of a block

// A chain has eight lanes of a warp, a state each.
__device__ float of_state(float mine, int s) { return __shfl_sync(0xffffffffu, mine, s, kStates); }

__device__ float sum_of(float mine) {
    for (int apart = 4; apart > 0; apart /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, apart);
    return mine;
}

__device__ int symbol(int eight, int t) { return __shfl_sync(0xffffffffu, eight, t % 8, kStates); }

__global__ void infer(int chains, int length, const uint8_t* residue, const float* start, const float* step, const float* emit,
                      float* posterior) {
    extern __shared__ float forward[];  // of the block's chains, [t][thread]
    __shared__ float chance[kSymbols * kStates];  // of a symbol in a state, states side by side
    for (int i = threadIdx.x; i < kSymbols * kStates; i += kThreads) chance[i] = emit[i % kStates * kSymbols + i / kStates];
    __syncthreads();
    const int wanted = (blockIdx.x * kThreads + threadIdx.x) / kStates, s = threadIdx.x % kStates;
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
    float mine = start[s] * chance[seen[0] * kStates + s];
    mine /= sum_of(mine);
    float* kept = forward + threadIdx.x;
    kept[0] = mine;
    int eight = 0;  // symbols of eight neighbouring places, one a lane
    for (int t = 1; t < length; ++t) {
        if (t == 1 || t % 8 == 0) eight = t / 8 * 8 + s < length ? seen[t / 8 * 8 + s] : 0;
        float sum = 0.0f;
#pragma unroll
        for (int r = 0; r < kStates; ++r) sum += of_state(mine, r) * into[r];
        mine = sum * chance[symbol(eight, t) * kStates + s];
        if (t % 4 == 0) mine /= sum_of(mine);
        kept[t * kThreads] = mine;
    }
    mine /= sum_of(mine);
    if (writes) p[(length - 1) * kStates] = mine;
    mine = 1.0f;
    for (int t = length - 2; t >= 0; --t) {
        const int next = symbol(eight, t + 1);
        if (t % 8 == 7) eight = seen[t / 8 * 8 + s];
        const float weighed = chance[next * kStates + s] * mine;
        mine = 0.0f;
#pragma unroll
        for (int r = 0; r < kStates; ++r) mine += from[r] * of_state(weighed, r);
        if (t % 4 == 0) mine /= sum_of(mine);
        const float joint = kept[t * kThreads] * mine, all = sum_of(joint);
        if (writes) p[t * kStates] = joint / all;
    }
}

extern "C" void state_posteriors(int chains, int length, const uint8_t* residue, const float* start, const float* step,
                                 const float* emit, float* posterior) {
    const size_t bytes = sizeof(float) * kThreads * length;
    cudaFuncSetAttribute(infer, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    infer<<<(chains - 1) / kChains + 1, kThreads, bytes>>>(chains, length, residue, start, step, emit, posterior);
}
