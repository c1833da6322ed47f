// Undoing move-to-front: one block of symbols a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void decode(int blocks, int length, const uint8_t* index, uint8_t* symbol) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= blocks) return;
    index += (long long)b * length;
    symbol += (long long)b * length;
    uint8_t list[16];
    for (int s = 0; s < 16; ++s) list[s] = (uint8_t)s;
    for (int t = 0; t < length; ++t) {
        const int place = index[t];
        const uint8_t chosen = list[place];
        for (int s = place; s > 0; --s) list[s] = list[s - 1];
        list[0] = chosen;
        symbol[t] = chosen;
    }
}

extern "C" void move_to_front(int blocks, int length, const uint8_t* index, uint8_t* symbol) {
    decode<<<(blocks - 1) / 64 + 1, 64>>>(blocks, length, index, symbol);
}
