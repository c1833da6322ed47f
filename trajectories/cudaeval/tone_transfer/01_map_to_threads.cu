// Tones of models: one tile a thread.
#include <cuda_runtime.h>

#include <cstdint>

// A thread a tile. `level` has 512 counts for each, of the tile and of its model; `becomes` the table.
__global__ void transfer(int tiles, int n, const uint8_t* grey, const uint8_t* model, int* level, uint8_t* becomes, uint8_t* matched) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= tiles) return;
    const long long tile = (long long)t * n;
    int *own = level + 512 * (long long)t, *wanted = own + 256;
    uint8_t* table = becomes + 256 * (long long)t;
    for (int i = 0; i < n; ++i) {
        ++own[grey[tile + i]];
        ++wanted[model[tile + i]];
    }
    int h = 0, upto_own = 0, upto_wanted = wanted[0];
    for (int g = 0; g < 256; ++g) {
        upto_own += own[g];
        while (upto_wanted < upto_own) upto_wanted += wanted[++h];
        table[g] = h;
    }
    for (int i = 0; i < n; ++i) matched[tile + i] = table[grey[tile + i]];
}

extern "C" void tone_transfer(int tiles, int n, const uint8_t* grey, const uint8_t* model, uint8_t* matched) {
    int* level = nullptr;
    uint8_t* becomes = nullptr;
    cudaMalloc(&level, sizeof(int) * 512 * tiles);
    cudaMalloc(&becomes, 256 * (size_t)tiles);
    cudaMemsetAsync(level, 0, sizeof(int) * 512 * tiles);
    transfer<<<(tiles - 1) / 32 + 1, 32>>>(tiles, n, grey, model, level, becomes, matched);
    cudaFree(level);
    cudaFree(becomes);
}
