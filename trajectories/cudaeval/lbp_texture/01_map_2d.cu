// Patterns: one pixel a thread, atomics into the cell's counts.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void count(int height, int width, const uint8_t* grey, int* counts) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < 1 || y < 1 || x + 1 >= width || y + 1 >= height) return;
    const int dy[8] = {-1, -1, -1, 0, 1, 1, 1, 0}, dx[8] = {-1, 0, 1, 1, 1, 0, -1, -1};
    bool mark[8];
    int marks = 0, changes = 0;
    for (int k = 0; k < 8; ++k) {
        mark[k] = grey[(y + dy[k]) * width + x + dx[k]] >= grey[y * width + x];
        marks += mark[k];
    }
    for (int k = 0; k < 8; ++k) changes += mark[k] != mark[(k + 1) % 8];
    atomicAdd(&counts[10 * (blockIdx.y * gridDim.x + blockIdx.x) + (changes <= 2 ? marks : 9)], 1);
}

extern "C" void lbp_texture(int height, int width, const uint8_t* grey, int32_t* counts) {
    const dim3 cells((width + 15) / 16, (height + 15) / 16);
    cudaMemsetAsync(counts, 0, 40ull * cells.x * cells.y);
    count<<<cells, dim3(16, 16)>>>(height, width, grey, counts);
}
