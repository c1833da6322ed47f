// Matches of an automaton: the table of transitions in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

struct Field {
    int s = 0, hits = 0, where = -1;
    bool ended = false;

    __device__ void step(unsigned int byte, int at, const uint8_t* next, const uint8_t* accept) {
        ended = ended || byte == 0;
        if (ended) return;
        s = next[256 * s + byte];
        if (accept[s] != 0 && hits++ == 0) where = at;
    }
};

// Rows whose starts are multiples of 16 bytes are read 16 bytes at a time.
template <bool kWide>
__device__ Field scan_row(const uint8_t* row, int length, const uint8_t* next, const uint8_t* accept) {
    Field field;
    if (kWide) {
        for (int i = 0; i < length && !field.ended; i += 16) {
            const uint4 piece = *(const uint4*)(row + i);
            const unsigned int words[4] = {piece.x, piece.y, piece.z, piece.w};
#pragma unroll
            for (int k = 0; k < 16; ++k) field.step(words[k / 4] >> 8 * (k % 4) & 255, i + k, next, accept);
        }
    } else {
        for (int i = 0; i < length && !field.ended; ++i) field.step(row[i], i, next, accept);
    }
    return field;
}

template <bool kWide>
__global__ void scan_with_table(int records, int length, int states, const uint8_t* text, const uint8_t* next, const uint8_t* accept,
                                int* matches, int* first, uint8_t* state) {
    extern __shared__ uint8_t table[];
    uint8_t* accepts = table + 256 * states;
    for (int i = threadIdx.x; i < 256 * states; i += kThreads) table[i] = next[i];
    for (int i = threadIdx.x; i < states; i += kThreads) accepts[i] = accept[i];
    __syncthreads();
    const int r = blockIdx.x * kThreads + threadIdx.x;
    if (r >= records) return;
    const Field field = scan_row<kWide>(text + (size_t)r * length, length, table, accepts);
    matches[r] = field.hits;
    first[r] = field.where;
    state[r] = (uint8_t)field.s;
}

extern "C" void automaton_matches(int records, int length, int states, const uint8_t* text, const uint8_t* next, const uint8_t* accept,
                                  int* matches, int* first, uint8_t* state) {
    const bool wide = length % 16 == 0 && (uintptr_t)text % 16 == 0;
    const int blocks = (records - 1) / kThreads + 1;
    const int bytes = 257 * states;  // at most 65,792
    if (wide) {
        cudaFuncSetAttribute(scan_with_table<true>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        scan_with_table<true><<<blocks, kThreads, bytes>>>(records, length, states, text, next, accept, matches, first, state);
    } else {
        cudaFuncSetAttribute(scan_with_table<false>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        scan_with_table<false><<<blocks, kThreads, bytes>>>(records, length, states, text, next, accept, matches, first, state);
    }
}
