// Viterbi paths: what the symbols are worth lies in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kStates = 16, kSymbols = 8;

constexpr int kTeams = 8;  // of 16 lanes, one a string

// The lane of the team with the largest score, the smallest lane of several; every lane gets it, and the score.
__device__ int best_lane(unsigned team, int* score) {
    int s = threadIdx.x % kStates;
    for (int apart = kStates / 2; apart > 0; apart /= 2) {
        const int theirs = __shfl_xor_sync(team, *score, apart, kStates), other = __shfl_xor_sync(team, s, apart, kStates);
        if (theirs > *score || (theirs == *score && other < s)) {
            *score = theirs;
            s = other;
        }
    }
    return s;
}

__global__ void decode(int strings, int length, const uint8_t* text, const int32_t* used, const int16_t* emit, const int16_t* step,
                       uint8_t* back, uint8_t* path, int32_t* total) {
    __shared__ int gain[kStates * kSymbols];  // of a state and a symbol
    for (int i = threadIdx.x; i < kStates * kSymbols; i += kTeams * kStates) gain[i] = emit[i];
    __syncthreads();
    const int s = threadIdx.x % kStates, r = blockIdx.x * kTeams + threadIdx.x / kStates;
    if (r >= strings) return;
    const unsigned team = 0xffffu << (threadIdx.x & 16);
    const uint8_t* symbol = text + (long long)r * length;
    uint8_t* state = path + (long long)r * length;
    back += (long long)r * length * kStates;
    const int end = used[r];
    for (int t = end + s; t < length; t += kStates) state[t] = 255;
    int score = end > 0 ? gain[s * kSymbols + symbol[0]] : 0;
    int into[kStates];  // the steps into this lane's state
#pragma unroll
    for (int p = 0; p < kStates; ++p) into[p] = step[p * kStates + s];
    for (int t = 1; t < end; ++t) {
        int best = 0, most = __shfl_sync(team, score, 0, kStates) + into[0];
#pragma unroll
        for (int p = 1; p < kStates; ++p) {
            const int through = __shfl_sync(team, score, p, kStates) + into[p];
            if (through > most) {
                most = through;
                best = p;
            }
        }
        score = most + gain[s * kSymbols + symbol[t]];
        back[t * kStates + s] = (uint8_t)best;
    }
    int last = best_lane(team, &score);
    __syncwarp(team);
    if (s != 0) return;
    total[r] = score;
    for (int t = end - 1; t >= 0; --t) {
        state[t] = (uint8_t)last;
        if (t > 0) last = back[t * kStates + last];
    }
}

extern "C" void viterbi_paths(int strings, int length, const uint8_t* text, const int32_t* used, const int16_t* emit, const int16_t* step,
                              uint8_t* path, int32_t* total) {
    uint8_t* back = nullptr;
    cudaMalloc(&back, (size_t)strings * length * kStates);
    decode<<<(strings - 1) / kTeams + 1, kTeams * kStates>>>(strings, length, text, used, emit, step, back, path, total);
    cudaFree(back);
}
