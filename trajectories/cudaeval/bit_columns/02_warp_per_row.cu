// Columns of membership bits: a warp counts the members of a column.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void gather(int rows, int words, int column_words, const uint32_t* row_bits, uint32_t* column_bits) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x, c = blockIdx.y;
    if (w >= column_words) return;
    uint32_t gathered = 0;
    for (int b = 0; b < 32 && 32 * w + b < rows; ++b)
        gathered |= (row_bits[(long long)(32 * w + b) * words + c / 32] >> (c % 32) & 1) << b;
    column_bits[(long long)c * column_words + w] = gathered;
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
    gather<<<dim3((column_words - 1) / 64 + 1, 32 * words), 64>>>(rows, words, column_words, row_bits, column_bits);
    count<<<8 * words, 128>>>(32 * words, column_words, column_bits, members);
}
