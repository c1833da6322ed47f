// Undoing move-to-front: the list is one word of 16 symbols in a register.
#include <cuda_runtime.h>

#include <cstdint>

using List = unsigned long long;  // of 16 symbols, four bits each, the first one lowest

constexpr List kFirst = 0xfedcba9876543210ull;

// The symbol at `place`, which moves to the front.
__device__ unsigned take(List& list, unsigned place) {
    const unsigned shift = 4 * place, chosen = (unsigned)(list >> shift) & 15;
    const List before = (1ull << shift) - 1, behind = ~(before << 4 | 15);
    list = (list & behind) | (list & before) << 4 | chosen;
    return chosen;
}

__global__ void decode(int blocks, int length, const uint8_t* index, uint8_t* symbol) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= blocks) return;
    index += (long long)b * length;
    symbol += (long long)b * length;
    List list = kFirst;
    for (int t = 0; t < length; ++t) symbol[t] = (uint8_t)take(list, index[t]);
}

extern "C" void move_to_front(int blocks, int length, const uint8_t* index, uint8_t* symbol) {
    decode<<<(blocks - 1) / 64 + 1, 64>>>(blocks, length, index, symbol);
}
