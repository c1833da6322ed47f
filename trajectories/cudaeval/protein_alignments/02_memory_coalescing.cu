// Protein alignments: cells of neighbouring pairs lie side by side.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kOpen = 11, kExtend = 1, kLow = -1000000;

struct Cell {
    int h, f;
};

__global__ void align(int pairs, int query_length, int target_length, const uint8_t* query, const uint8_t* target, const int8_t* gain,
                      int2* column, int32_t* best) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pairs) return;
    query += (long long)p * query_length;
    target += (long long)p * target_length;
    column += p;  // cells are `pairs` apart
    for (int j = 0; j < query_length; ++j) column[(long long)j * pairs] = make_int2(0, kLow);
    int most = 0;
    for (int i = 0; i < target_length; ++i) {
        const int8_t* worth = gain + 20 * target[i];
        int e = kLow, left = 0, corner = 0;
        for (int j = 0; j < query_length; ++j) {
            const int2 before = column[(long long)j * pairs];
            const int above = before.x;
            int f = before.y;
            e = max(e - kExtend, left - kOpen);
            f = max(f - kExtend, above - kOpen);
            left = max(max(0, corner + worth[query[j]]), max(e, f));
            corner = above;
            column[(long long)j * pairs] = make_int2(left, f);
            most = max(most, left);
        }
    }
    best[p] = most;
}

extern "C" void protein_alignments(int pairs, int query_length, int target_length, const uint8_t* query, const uint8_t* target,
                                   const int8_t* gain, int32_t* best) {
    int2* column = nullptr;  // h and f of a cell
    cudaMalloc(&column, sizeof(int2) * pairs * query_length);
    align<<<(pairs - 1) / 64 + 1, 64>>>(pairs, query_length, target_length, query, target, gain, column, best);
    cudaFree(column);
}
