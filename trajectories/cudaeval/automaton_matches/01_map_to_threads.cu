// Matches of an automaton: one field a thread.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;

__global__ void scan(int records, int length, int states, const uint8_t* text, const uint8_t* next, const uint8_t* accept,
                     int* matches, int* first, uint8_t* state) {
    const int r = blockIdx.x * kThreads + threadIdx.x;
    if (r >= records) return;
    const uint8_t* field = text + (size_t)r * length;
    int s = 0, hits = 0, where = -1;
    for (int i = 0; i < length && field[i] != 0; ++i) {
        s = next[256 * s + field[i]];
        if (accept[s] != 0 && hits++ == 0) where = i;
    }
    matches[r] = hits;
    first[r] = where;
    state[r] = (uint8_t)s;
}

extern "C" void automaton_matches(int records, int length, int states, const uint8_t* text, const uint8_t* next, const uint8_t* accept,
                                  int* matches, int* first, uint8_t* state) {
    scan<<<(records - 1) / kThreads + 1, kThreads>>>(records, length, states, text, next, accept, matches, first, state);
}
