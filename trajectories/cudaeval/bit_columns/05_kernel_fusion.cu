// Columns of membership bits: a block counts the members of the columns that it turns.
#include <cuda_runtime.h>

#include <cstdint>

// Turns a square of 32 x 32 bits, a row a lane: quarters of 16 x 16, then of 8 x 8 and so on change places across the diagonal.
__device__ uint32_t turned(uint32_t row) {
    uint32_t mask = 0x0000ffffu;
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) {
        const uint32_t other = __shfl_xor_sync(0xffffffffu, row, apart);
        row = threadIdx.x & apart ? (row & ~mask) | (other >> apart & mask) : (row & mask) | (other & mask) << apart;
        mask ^= mask << apart / 2;
    }
    return row;
}

constexpr int kWarps = 16;

// A block has 32 columns. Its warps turn squares of 32 rows and count the members of their lanes' columns.
__global__ void gather(int rows, int words, int column_words, const uint32_t* row_bits, uint32_t* column_bits, int32_t* members) {
    __shared__ int part[kWarps][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, word = blockIdx.x;
    int sum = 0;
    for (int w = warp; w < column_words; w += kWarps) {
        const int row = 32 * w + lane;
        const uint32_t column = turned(row < rows ? row_bits[(long long)row * words + word] : 0);
        column_bits[(long long)(32 * word + lane) * column_words + w] = column;
        sum += __popc(column);
    }
    part[warp][lane] = sum;
    __syncthreads();
    if (warp > 0) return;
    for (int w = 1; w < kWarps; ++w) sum += part[w][lane];
    members[32 * word + lane] = sum;
}

extern "C" void bit_columns(int rows, int words, const uint32_t* row_bits, uint32_t* column_bits, int32_t* members) {
    const int column_words = (rows + 31) / 32;
    gather<<<words, 32 * kWarps>>>(rows, words, column_words, row_bits, column_bits, members);
}
