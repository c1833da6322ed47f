// Tones of models: one tile a block, whose threads count and look up.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

// A block a tile; its first thread makes the table.
__global__ void transfer(int n, const uint8_t* grey, const uint8_t* model, int* level, uint8_t* becomes, uint8_t* matched) {
    const long long tile = (long long)blockIdx.x * n;
    int *own = level + 512 * (long long)blockIdx.x, *wanted = own + 256;
    uint8_t* table = becomes + 256 * (long long)blockIdx.x;
    for (int i = threadIdx.x; i < n; i += kThreads) {
        atomicAdd(own + grey[tile + i], 1);
        atomicAdd(wanted + model[tile + i], 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int h = 0, upto_own = 0, upto_wanted = wanted[0];
        for (int g = 0; g < 256; ++g) {
            upto_own += own[g];
            while (upto_wanted < upto_own) upto_wanted += wanted[++h];
            table[g] = h;
        }
    }
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
