// Dictionary encoding of chunks: a block has a chunk, from its rows to its codes.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 512, kMost = 2048;  // rows of a chunk

// A block has a chunk, from its rows to its codes.
__global__ void encode(int width, const int32_t* value, int32_t* dictionary, int32_t* distinct, uint16_t* code) {
    __shared__ int row[kMost], count;
    __shared__ uint8_t is_first[kMost];
    const long long start = (long long)blockIdx.x * width;
    if (threadIdx.x == 0) count = 0;
    for (int i = threadIdx.x; i < width; i += kThreads) row[i] = value[start + i];
    __syncthreads();
    int own = 0;
    for (int i = threadIdx.x; i < width; i += kThreads) {
        bool seen = false;
        for (int j = 0; j < i; ++j) seen |= row[j] == row[i];
        is_first[i] = !seen;
        own += !seen;
    }
    atomicAdd(&count, own);
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += kThreads) {
        int below = 0;
        for (int j = 0; j < width; ++j) below += is_first[j] && row[j] < row[i];
        code[start + i] = (uint16_t)below;
        if (is_first[i]) dictionary[start + below] = row[i];
        if (i >= count) dictionary[start + i] = 0;
    }
    if (threadIdx.x == 0) distinct[blockIdx.x] = count;
}

extern "C" void dictionary_chunks(int chunks, int width, const int32_t* value, int32_t* dictionary, int32_t* distinct,
                                  uint16_t* code) {
    encode<<<chunks, kThreads>>>(width, value, dictionary, distinct, code);
}
