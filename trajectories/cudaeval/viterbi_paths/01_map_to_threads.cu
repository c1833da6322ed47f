// Viterbi paths: one string a thread, with its pointers back in scratch memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kStates = 16, kSymbols = 8;

__global__ void decode(int strings, int length, const uint8_t* text, const int32_t* used, const int16_t* emit, const int16_t* step,
                       uint8_t* back, uint8_t* path, int32_t* total) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= strings) return;
    const uint8_t* symbol = text + (long long)r * length;
    uint8_t* state = path + (long long)r * length;
    back += (long long)r * length * kStates;
    const int end = used[r];
    for (int t = end; t < length; ++t) state[t] = 255;
    int score[kStates], next[kStates];
    for (int s = 0; s < kStates; ++s) score[s] = end > 0 ? emit[s * kSymbols + symbol[0]] : 0;
    for (int t = 1; t < end; ++t) {
        for (int s = 0; s < kStates; ++s) {
            int best = 0, most = score[0] + step[s];
            for (int p = 1; p < kStates; ++p) {
                const int through = score[p] + step[p * kStates + s];
                if (through > most) {
                    most = through;
                    best = p;
                }
            }
            next[s] = most + emit[s * kSymbols + symbol[t]];
            back[t * kStates + s] = (uint8_t)best;
        }
        for (int s = 0; s < kStates; ++s) score[s] = next[s];
    }
    int s = 0;
    for (int other = 1; other < kStates; ++other)
        if (score[other] > score[s]) s = other;
    total[r] = score[s];
    for (int t = end - 1; t >= 0; --t) {
        state[t] = (uint8_t)s;
        if (t > 0) s = back[t * kStates + s];
    }
}

extern "C" void viterbi_paths(int strings, int length, const uint8_t* text, const int32_t* used, const int16_t* emit, const int16_t* step,
                              uint8_t* path, int32_t* total) {
    uint8_t* back = nullptr;
    cudaMalloc(&back, (size_t)strings * length * kStates);
    decode<<<(strings - 1) / 64 + 1, 64>>>(strings, length, text, used, emit, step, back, path, total);
    cudaFree(back);
}
