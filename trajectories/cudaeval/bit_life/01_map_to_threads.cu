// Life: a byte a cell in two boards, one cell a thread, a launch a generation.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void unpack(int cells, const uint32_t* board, uint8_t* now) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < cells) now[i] = board[i / 32] >> (i % 32) & 1;
}

__global__ void live(int rows, int cols, const uint8_t* now, uint8_t* then) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) return;
    const int r = i / cols, c = i % cols;
    int around = 0;
    for (int dr = -1; dr <= 1; ++dr)
        for (int dc = -1; dc <= 1; ++dc)
            if (dr || dc) around += now[(r + dr + rows) % rows * cols + (c + dc + cols) % cols];
    then[i] = around == 3 || (around == 2 && now[i]);
}

__global__ void pack(int all, int words, const uint8_t* now, uint32_t* next, int32_t* alive) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= all) return;
    uint32_t word = 0;
    for (int b = 0; b < 32; ++b) word |= (uint32_t)now[32 * (size_t)w + b] << b;
    next[w] = word;
    atomicAdd(&alive[w / words], __popc(word));
}

extern "C" void bit_life(int rows, int words, int generations, const uint32_t* board, uint32_t* next, int32_t* alive) {
    const int cells = rows * words * 32;
    uint8_t *now = nullptr, *then = nullptr;
    cudaMallocAsync(&now, cells, 0);
    cudaMallocAsync(&then, cells, 0);
    cudaMemsetAsync(alive, 0, sizeof(int32_t) * rows);
    unpack<<<(cells + 255) / 256, 256>>>(cells, board, now);
    for (int g = 0; g < generations; ++g) {
        live<<<(cells + 255) / 256, 256>>>(rows, 32 * words, now, then);
        uint8_t* other = now;
        now = then;
        then = other;
    }
    pack<<<(rows * words + 255) / 256, 256>>>(rows * words, words, now, next, alive);
    cudaFreeAsync(now, 0);
    cudaFreeAsync(then, 0);
}
