// Viterbi paths: eight pointers back in a word; on the way back each lane holds its state's word, and lanes ask each other.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kStates = 16, kSymbols = 8;

constexpr int kTeams = 8;  // of 16 lanes, one a string
constexpr int kPacked = 8;  // pointers back in a word, of four bits each

__host__ __device__ inline int words_of(int length) { return (length + kPacked - 1) / kPacked; }

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
                       unsigned* back, uint8_t* path, int32_t* total) {
    __shared__ int gain[kStates * kSymbols];  // of a state and a symbol
    for (int i = threadIdx.x; i < kStates * kSymbols; i += kTeams * kStates) gain[i] = emit[i];
    __syncthreads();
    const int s = threadIdx.x % kStates, r = blockIdx.x * kTeams + threadIdx.x / kStates;
    if (r >= strings) return;
    const unsigned team = 0xffffu << (threadIdx.x & 16);
    const uint8_t* symbol = text + (long long)r * length;
    uint8_t* state = path + (long long)r * length;
    back += (long long)r * words_of(length) * kStates;
    const int end = used[r];
    for (int t = end + s; t < length; t += kStates) state[t] = 255;
    int score = end > 0 ? gain[s * kSymbols + symbol[0]] : 0;
    int into[kStates];  // the steps into this lane's state
#pragma unroll
    for (int p = 0; p < kStates; ++p) into[p] = step[p * kStates + s];
    unsigned word = 0;
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
        word |= (unsigned)best << 4 * (t % kPacked);
        if (t % kPacked == kPacked - 1 || t == end - 1) {
            back[t / kPacked * kStates + s] = word;
            word = 0;
        }
    }
    int last = best_lane(team, &score);
    if (s == 0) total[r] = score;
    for (int first = (end - 1) / kPacked * kPacked; first >= 0 && end > 0; first -= kPacked) {
        word = end > 1 ? back[first / kPacked * kStates + s] : 0;  // this lane's own
        int mine = 0;  // the state at symbol first + s
        for (int k = min(kPacked, end - first) - 1; k >= 0; --k) {
            if (s == k) mine = last;
            last = __shfl_sync(team, word, last, kStates) >> 4 * k & 15;
        }
        if (s < kPacked && first + s < end) state[first + s] = (uint8_t)mine;
    }
}

extern "C" void viterbi_paths(int strings, int length, const uint8_t* text, const int32_t* used, const int16_t* emit, const int16_t* step,
                              uint8_t* path, int32_t* total) {
    unsigned* back = nullptr;
    cudaMalloc(&back, sizeof(unsigned) * strings * words_of(length) * kStates);
    decode<<<(strings - 1) / kTeams + 1, kTeams * kStates>>>(strings, length, text, used, emit, step, back, path, total);
    cudaFree(back);
}
