// Neighbours: an offer is a chain of minima and maxima over eight fixed places, so that the list stays in registers and not in local memory.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long key_t64;  // distance above, number below

// The eight nearest are kept, of which the first `near` count: with fixed places the list stays in registers.
__device__ void offer(key_t64 (&best)[8], key_t64 mine) {
    if (mine >= best[7]) return;
#pragma unroll
    for (int k = 7; k > 0; --k) best[k] = max(best[k - 1], min(best[k], mine));
    best[0] = min(best[0], mine);
}

__device__ void settle(const key_t64 (&best)[8], int count, int classes, const int* label, int* class_of, int* reach) {
    int votes[16] = {}, most = 0;
    key_t64 last = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k)
        if (k < count) ++votes[label[(uint32_t)best[k]]], last = best[k];
    for (int c = 1; c < classes; ++c)
        if (votes[c] > votes[most]) most = c;
    *class_of = most;
    *reach = (int)(last >> 32);
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

__global__ void vote(int samples, int queries, int words, int near, const uint32_t* __restrict__ sample, const int* __restrict__ sample_square,
                     const uint32_t* __restrict__ query, const int* __restrict__ query_square, key_t64* __restrict__ list) {
    __shared__ uint4 tile[kTile][kWords / 4];
    const int q = blockIdx.x * 64 + threadIdx.x, asked = min(q, queries - 1), own_square = query_square[asked];
    key_t64 best[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) best[k] = ~0ull;
    for (int from = kTile * blockIdx.y; from < samples; from += kTile * gridDim.y) {
        const int count = min(kTile, samples - from);
        uint32_t sum[kTile] = {};
        for (int part = 0; part < words; part += kWords) {
            __syncthreads();
            for (int i = threadIdx.x; i < kTile * kWords / 4; i += 64) {
                const int s = min(from + i / (kWords / 4), samples - 1);
                tile[i / (kWords / 4)][i % (kWords / 4)] = reinterpret_cast<const uint4*>(sample + (size_t)s * words + part)[i % (kWords / 4)];
            }
            __syncthreads();
            uint4 own[kWords / 4];
#pragma unroll
            for (int w = 0; w < kWords / 4; ++w) own[w] = reinterpret_cast<const uint4*>(query + (size_t)asked * words + part)[w];
#pragma unroll
            for (int s = 0; s < kTile; ++s)
#pragma unroll
                for (int w = 0; w < kWords / 4; ++w) {
                    const uint4 four = tile[s][w];
                    sum[s] = __dp4a(four.x, own[w].x, sum[s]);
                    sum[s] = __dp4a(four.y, own[w].y, sum[s]);
                    sum[s] = __dp4a(four.z, own[w].z, sum[s]);
                    sum[s] = __dp4a(four.w, own[w].w, sum[s]);
                }
        }
#pragma unroll
        for (int s = 0; s < kTile; ++s) {
            if (s >= count) break;
            const int squared = own_square + sample_square[from + s] - 2 * (int)sum[s];
            offer(best, (key_t64)squared << 32 | (uint32_t)(from + s));
        }
    }
#pragma unroll
    for (int k = 0; k < 8; ++k)
        if (k < near && q < queries) list[((size_t)blockIdx.y * near + k) * queries + q] = best[k];
}

// The lists of all slices of the samples become one.
__global__ void merge(int slices, int samples, int queries, int near, int classes, const key_t64* __restrict__ list, const int* __restrict__ label, int* class_of,
                      int* reach) {
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= queries) return;
    key_t64 best[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) best[k] = ~0ull;
    for (int k = 0; k < slices * near; ++k) offer(best, list[(size_t)k * queries + q]);
    settle(best, min(near, samples), classes, label, class_of + q, reach + q);
}

constexpr int kSlices = 8;

extern "C" void neighbour_votes(int samples, int queries, int parts, int near, int classes, const uint8_t* sample, const int32_t* label, const uint8_t* query,
                                int32_t* class_of, int32_t* reach) {
    const int words = (parts + 63) / 64 * kWords;
    uint32_t* packed = nullptr;
    cudaMallocAsync(&packed, sizeof(uint32_t) * ((size_t)samples + queries) * (words + 1), 0);
    uint32_t* asked = packed + (size_t)samples * words;
    int *sample_square = reinterpret_cast<int*>(asked + (size_t)queries * words), *query_square = sample_square + samples;
    pack<<<(samples + 3) / 4, 128>>>(samples, parts, words, sample, packed, sample_square);
    pack<<<(queries + 3) / 4, 128>>>(queries, parts, words, query, asked, query_square);
    key_t64* list = nullptr;
    cudaMallocAsync(&list, sizeof(key_t64) * kSlices * near * queries, 0);
    vote<<<dim3((queries + 63) / 64, kSlices), 64>>>(samples, queries, words, near, packed, sample_square, asked, query_square, list);
    merge<<<(queries + 127) / 128, 128>>>(kSlices, samples, queries, near, classes, list, label, class_of, reach);
    cudaFreeAsync(list, 0);
    cudaFreeAsync(packed, 0);
}
