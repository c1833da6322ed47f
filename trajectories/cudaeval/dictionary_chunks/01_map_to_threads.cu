// Dictionary encoding of chunks: one thread a row of a chunk.
#include <cuda_runtime.h>

#include <cstdint>

// Which rows are the first ones with their value.
__global__ void mark(int width, const int32_t* value, uint8_t* is_first) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width) return;
    const int32_t* row = value + (long long)blockIdx.y * width;
    bool seen = false;
    for (int j = 0; j < i; ++j) seen |= row[j] == row[i];
    is_first[(long long)blockIdx.y * width + i] = !seen;
}

// A row's code is the number of distinct values below its own.
__global__ void rank(int width, const int32_t* value, const uint8_t* is_first, int32_t* dictionary, uint16_t* code) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width) return;
    const long long start = (long long)blockIdx.y * width;
    const int32_t* row = value + start;
    int below = 0;
    for (int j = 0; j < width; ++j) below += is_first[start + j] && row[j] < row[i];
    code[start + i] = (uint16_t)below;
    if (is_first[start + i]) dictionary[start + below] = row[i];
}

__global__ void finish(int chunks, int width, const uint8_t* is_first, int32_t* dictionary, int32_t* distinct) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= chunks) return;
    int count = 0;
    for (int i = 0; i < width; ++i) count += is_first[(long long)c * width + i];
    for (int i = count; i < width; ++i) dictionary[(long long)c * width + i] = 0;
    distinct[c] = count;
}

extern "C" void dictionary_chunks(int chunks, int width, const int32_t* value, int32_t* dictionary, int32_t* distinct,
                                  uint16_t* code) {
    uint8_t* is_first = nullptr;
    cudaMalloc(&is_first, (size_t)chunks * width);
    const dim3 grid((width - 1) / 256 + 1, chunks);
    mark<<<grid, 256>>>(width, value, is_first);
    rank<<<grid, 256>>>(width, value, is_first, dictionary, code);
    finish<<<(chunks - 1) / 64 + 1, 64>>>(chunks, width, is_first, dictionary, distinct);
    cudaFree(is_first);
}
