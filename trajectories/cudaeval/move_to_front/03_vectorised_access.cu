// Undoing move-to-front: 16 indices are read and 16 symbols written at a time.
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

// Four symbols from four indices, a byte each.
__device__ unsigned take_four(List& list, unsigned places) {
    unsigned chosen = take(list, places & 255);
    chosen |= take(list, places >> 8 & 255) << 8;
    chosen |= take(list, places >> 16 & 255) << 16;
    return chosen | take(list, places >> 24) << 24;
}

// `kWide`: rows are multiples of 16 bytes, and so are the places at which the arrays begin.
template <bool kWide>
__global__ void decode(int blocks, int length, const uint8_t* __restrict__ index, uint8_t* __restrict__ symbol) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= blocks) return;
    index += (long long)b * length;
    symbol += (long long)b * length;
    List list = kFirst;
    if (kWide) {
        for (int t = 0; t < length; t += 16) {
            uint4 piece = *(const uint4*)(index + t);
            piece.x = take_four(list, piece.x);
            piece.y = take_four(list, piece.y);
            piece.z = take_four(list, piece.z);
            piece.w = take_four(list, piece.w);
            *(uint4*)(symbol + t) = piece;
        }
    } else {
        for (int t = 0; t < length; ++t) symbol[t] = (uint8_t)take(list, index[t]);
    }
}

extern "C" void move_to_front(int blocks, int length, const uint8_t* index, uint8_t* symbol) {
    const int grid = (blocks - 1) / 64 + 1;
    if (length % 16 == 0 && ((uintptr_t)index | (uintptr_t)symbol) % 16 == 0)
        decode<true><<<grid, 64>>>(blocks, length, index, symbol);
    else
        decode<false><<<grid, 64>>>(blocks, length, index, symbol);
}
