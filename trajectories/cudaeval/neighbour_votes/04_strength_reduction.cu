// Neighbours: a squared distance is |a|^2 + |b|^2 - 2 a b, whose products come four at a time from words that were packed once; the query stays in registers.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long key_t64;  // distance above, number below

__device__ void offer(key_t64* best, int near, key_t64 mine) {
    if (mine >= best[near - 1]) return;
    int at = near - 1;
    for (; at > 0 && best[at - 1] > mine; --at) best[at] = best[at - 1];
    best[at] = mine;
}

__device__ void settle(const key_t64* best, int count, int classes, const int* label, int* class_of, int* reach) {
    int votes[16] = {}, most = 0;
    for (int k = 0; k < count; ++k) ++votes[label[(uint32_t)best[k]]];
    for (int c = 1; c < classes; ++c)
        if (votes[c] > votes[most]) most = c;
    *class_of = most;
    *reach = (int)(best[count - 1] >> 32);
}

constexpr int kTile = 32, kWords = 16;  // samples, and words of four parts each, that are looked at together

// A warp packs a row, four parts in a word and zeros behind the last, and finds the square of its length.
__global__ void pack(int rows, int parts, int words, const uint8_t* __restrict__ row_of, uint32_t* __restrict__ packed, int* __restrict__ square) {
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= rows) return;
    const uint8_t* row = row_of + (size_t)i * parts;
    uint32_t sum = 0;
    for (int w = lane; w < words; w += 32) {
        uint32_t word = 0;
        for (int k = 0; k < 4 && 4 * w + k < parts; ++k) word |= (uint32_t)row[4 * w + k] << 8 * k;
        packed[(size_t)i * words + w] = word;
        sum = __dp4a(word, word, sum);
    }
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (lane == 0) square[i] = (int)sum;
}

__global__ void vote(int samples, int queries, int words, int near, int classes, const uint32_t* __restrict__ sample, const int* __restrict__ sample_square,
                     const int* __restrict__ label, const uint32_t* __restrict__ query, const int* __restrict__ query_square, int* class_of, int* reach) {
    __shared__ uint32_t tile[kTile][kWords];
    const int q = blockIdx.x * 64 + threadIdx.x, asked = min(q, queries - 1), own_square = query_square[asked];
    key_t64 best[8];
    for (int k = 0; k < 8; ++k) best[k] = ~0ull;
    for (int from = 0; from < samples; from += kTile) {
        const int count = min(kTile, samples - from);
        uint32_t sum[kTile] = {};
        for (int part = 0; part < words; part += kWords) {
            __syncthreads();
            for (int i = threadIdx.x; i < kTile * kWords; i += 64) {
                const int s = min(from + i / kWords, samples - 1);
                tile[i / kWords][i % kWords] = sample[(size_t)s * words + part + i % kWords];
            }
            __syncthreads();
            uint32_t own[kWords];
#pragma unroll
            for (int w = 0; w < kWords; ++w) own[w] = query[(size_t)asked * words + part + w];
#pragma unroll
            for (int s = 0; s < kTile; ++s)
#pragma unroll
                for (int w = 0; w < kWords; ++w) sum[s] = __dp4a(tile[s][w], own[w], sum[s]);
        }
#pragma unroll
        for (int s = 0; s < kTile; ++s) {
            if (s >= count) break;
            const int squared = own_square + sample_square[from + s] - 2 * (int)sum[s];
            offer(best, near, (key_t64)squared << 32 | (uint32_t)(from + s));
        }
    }
    if (q < queries) settle(best, min(near, samples), classes, label, class_of + q, reach + q);
}

extern "C" void neighbour_votes(int samples, int queries, int parts, int near, int classes, const uint8_t* sample, const int32_t* label, const uint8_t* query,
                                int32_t* class_of, int32_t* reach) {
    const int words = (parts + 63) / 64 * kWords;
    uint32_t* packed = nullptr;
    cudaMallocAsync(&packed, sizeof(uint32_t) * ((size_t)samples + queries) * (words + 1), 0);
    uint32_t* asked = packed + (size_t)samples * words;
    int *sample_square = reinterpret_cast<int*>(asked + (size_t)queries * words), *query_square = sample_square + samples;
    pack<<<(samples + 3) / 4, 128>>>(samples, parts, words, sample, packed, sample_square);
    pack<<<(queries + 3) / 4, 128>>>(queries, parts, words, query, asked, query_square);
    vote<<<(queries + 63) / 64, 64>>>(samples, queries, words, near, classes, packed, sample_square, label, asked, query_square, class_of, reach);
    cudaFreeAsync(packed, 0);
}
