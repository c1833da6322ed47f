// Dictionary encoding of chunks: rows are staged in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

// Which rows are the first ones with their value; earlier rows are staged 256 at a time.
__global__ void mark(int width, const int32_t* value, uint8_t* is_first) {
    __shared__ int tile[kThreads];
    const int i = blockIdx.x * kThreads + threadIdx.x;
    const int32_t* row = value + (long long)blockIdx.y * width;
    const int mine = i < width ? row[i] : 0;
    bool seen = false;
    for (int first = 0; first <= blockIdx.x * kThreads; first += kThreads) {
        if (first + threadIdx.x < width) tile[threadIdx.x] = row[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < kThreads && first + k < i && i < width; ++k) seen |= tile[k] == mine;
        __syncthreads();
    }
    if (i < width) is_first[(long long)blockIdx.y * width + i] = !seen;
}

// A row's code is the number of distinct values below its own.
__global__ void rank(int width, const int32_t* value, const uint8_t* is_first, int32_t* dictionary, uint16_t* code) {
    __shared__ int2 tile[kThreads];
    const int i = blockIdx.x * kThreads + threadIdx.x;
    const long long start = (long long)blockIdx.y * width;
    const int32_t* row = value + start;
    const int mine = i < width ? row[i] : 0;
    int below = 0;
    for (int first = 0; first < width; first += kThreads) {
        const int j = first + threadIdx.x, count = min(kThreads, width - first);
        if (j < width) tile[threadIdx.x] = make_int2(row[j], is_first[start + j]);
        __syncthreads();
        for (int k = 0; k < count; ++k) below += tile[k].y && tile[k].x < mine;
        __syncthreads();
    }
    if (i >= width) return;
    code[start + i] = (uint16_t)below;
    if (is_first[start + i]) dictionary[start + below] = mine;
}

// One warp a chunk.
__global__ void finish(int chunks, int width, const uint8_t* is_first, int32_t* dictionary, int32_t* distinct) {
    const int c = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (c >= chunks) return;
    int count = 0;
    for (int i = lane; i < width; i += 32) count += is_first[(long long)c * width + i];
    for (int apart = 16; apart > 0; apart /= 2) count += __shfl_xor_sync(0xffffffffu, count, apart);
    for (int i = count + lane; i < width; i += 32) dictionary[(long long)c * width + i] = 0;
    if (lane == 0) distinct[c] = count;
}

extern "C" void dictionary_chunks(int chunks, int width, const int32_t* value, int32_t* dictionary, int32_t* distinct,
                                  uint16_t* code) {
    uint8_t* is_first = nullptr;
    cudaMalloc(&is_first, (size_t)chunks * width);
    const dim3 grid((width - 1) / 256 + 1, chunks);
    mark<<<grid, 256>>>(width, value, is_first);
    rank<<<grid, 256>>>(width, value, is_first, dictionary, code);
    finish<<<(chunks - 1) / 4 + 1, 128>>>(chunks, width, is_first, dictionary, distinct);
    cudaFree(is_first);
}
