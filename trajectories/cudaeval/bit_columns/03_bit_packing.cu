// Columns of membership bits: a warp turns a square of bits by votes.
#include <cuda_runtime.h>

#include <cstdint>

// A warp turns a square of 32 rows and 32 columns: one vote of its lanes gathers the word of a column.
__global__ void gather(int rows, int words, int column_words, const uint32_t* row_bits, uint32_t* column_bits) {
    const int lane = threadIdx.x % 32, w = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, word = blockIdx.y, row = 32 * w + lane;
    if (w >= column_words) return;
    const uint32_t own = row < rows ? row_bits[(long long)row * words + word] : 0;
    uint32_t turned = 0;
#pragma unroll
    for (int c = 0; c < 32; ++c) {
        const uint32_t column = __ballot_sync(0xffffffffu, own >> c & 1);
        if (lane == c) turned = column;
    }
    column_bits[(long long)(32 * word + lane) * column_words + w] = turned;
}

// One warp a column.
__global__ void count(int columns, int column_words, const uint32_t* column_bits, int32_t* members) {
    const int c = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (c >= columns) return;
    int sum = 0;
    for (int w = lane; w < column_words; w += 32) sum += __popc(column_bits[(long long)c * column_words + w]);
    sum = __reduce_add_sync(0xffffffffu, sum);
    if (lane == 0) members[c] = sum;
}

extern "C" void bit_columns(int rows, int words, const uint32_t* row_bits, uint32_t* column_bits, int32_t* members) {
    const int column_words = (rows + 31) / 32;
    gather<<<dim3((column_words - 1) / 4 + 1, words), 128>>>(rows, words, column_words, row_bits, column_bits);
    count<<<8 * words, 128>>>(32 * words, column_words, column_bits, members);
}
