// Protein alignments: one pair a thread, whose column of cells lies in scratch memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kOpen = 11, kExtend = 1, kLow = -1000000;

struct Cell {
    int h, f;
};

__global__ void align(int pairs, int query_length, int target_length, const uint8_t* query, const uint8_t* target, const int8_t* gain,
                      Cell* column, int32_t* best) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pairs) return;
    query += (long long)p * query_length;
    target += (long long)p * target_length;
    column += (long long)p * query_length;
    for (int j = 0; j < query_length; ++j) column[j] = {0, kLow};
    int most = 0;
    for (int i = 0; i < target_length; ++i) {
        const int8_t* worth = gain + 20 * target[i];
        int e = kLow, left = 0, corner = 0;
        for (int j = 0; j < query_length; ++j) {
            const int above = column[j].h;
            int f = column[j].f;
            e = max(e - kExtend, left - kOpen);
            f = max(f - kExtend, above - kOpen);
            left = max(max(0, corner + worth[query[j]]), max(e, f));
            corner = above;
            column[j] = {left, f};
            most = max(most, left);
        }
    }
    best[p] = most;
}

extern "C" void protein_alignments(int pairs, int query_length, int target_length, const uint8_t* query, const uint8_t* target,
                                   const int8_t* gain, int32_t* best) {
    Cell* column = nullptr;
    cudaMalloc(&column, sizeof(Cell) * pairs * query_length);
    align<<<(pairs - 1) / 64 + 1, 64>>>(pairs, query_length, target_length, query, target, gain, column, best);
    cudaFree(column);
}
