// Tones of models: a block adds the counts of a tile up by scans and searches by halves.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

// The sum over this thread and those before it in the block.
__device__ int running_sum(int value) {
    __shared__ int sum[kThreads];
    sum[threadIdx.x] = value;
    __syncthreads();
    for (int reach = 1; reach < kThreads; reach *= 2) {
        const int lower = (int)threadIdx.x >= reach ? sum[threadIdx.x - reach] : 0;
        __syncthreads();
        sum[threadIdx.x] += lower;
        __syncthreads();
    }
    return sum[threadIdx.x];
}

// What value `threadIdx.x` becomes, where so many of the tile and of the model have that value.
__device__ uint8_t matching(int own, int wanted) {
    __shared__ int upto[256];
    const int mine = running_sum(own);
    upto[threadIdx.x] = running_sum(wanted);
    __syncthreads();
    int h = 0;
    for (int step = 128; step > 0; step /= 2)
        if (upto[h + step - 1] < mine) h += step;
    return h;
}

// A block a tile; a thread makes one entry of the table.
__global__ void transfer(int n, const uint8_t* grey, const uint8_t* model, int* level, uint8_t* becomes, uint8_t* matched) {
    const long long tile = (long long)blockIdx.x * n;
    int *own = level + 512 * (long long)blockIdx.x, *wanted = own + 256;
    uint8_t* table = becomes + 256 * (long long)blockIdx.x;
    for (int i = threadIdx.x; i < n; i += kThreads) {
        atomicAdd(own + grey[tile + i], 1);
        atomicAdd(wanted + model[tile + i], 1);
    }
    __syncthreads();
    table[threadIdx.x] = matching(own[threadIdx.x], wanted[threadIdx.x]);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += kThreads) matched[tile + i] = table[grey[tile + i]];
}

extern "C" void tone_transfer(int tiles, int n, const uint8_t* grey, const uint8_t* model, uint8_t* matched) {
    int* level = nullptr;
    uint8_t* becomes = nullptr;
    cudaMalloc(&level, sizeof(int) * 512 * tiles);
    cudaMalloc(&becomes, 256 * (size_t)tiles);
    cudaMemsetAsync(level, 0, sizeof(int) * 512 * tiles);
    transfer<<<tiles, kThreads>>>(n, grey, model, level, becomes, matched);
    cudaFree(level);
    cudaFree(becomes);
}
