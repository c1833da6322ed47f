// Undoing move-to-front: one block of symbols a warp. Each lane finds out how its part rearranges any list; a scan of these gives every
// lane the list that it begins with.
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

// The list that `later` makes of the list `before`: both say which place of an earlier list each symbol comes from.
__device__ List joined(List before, List later) {
    List both = 0;
    for (int place = 60; place >= 0; place -= 4) both = both << 4 | (before >> 4 * (later >> place & 15) & 15);
    return both;
}

__device__ List list_before(List mine) {
    const int lane = threadIdx.x % 32;
    for (int apart = 1; apart < 32; apart *= 2) {
        const List before = __shfl_up_sync(0xffffffffu, mine, apart);
        if (lane >= apart) mine = joined(before, mine);
    }
    const List before = __shfl_up_sync(0xffffffffu, mine, 1);
    return lane == 0 ? kFirst : before;
}

// `kWide`: rows are multiples of 16 bytes, and so are the places at which the arrays begin.
template <bool kWide>
__global__ void decode(int blocks, int length, const uint8_t* __restrict__ index, uint8_t* __restrict__ symbol) {
    const int b = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (b >= blocks) return;
    index += (long long)b * length;
    symbol += (long long)b * length;
    const int share = ((length + 31) / 32 + 15) / 16 * 16, first = min(length, lane * share), end = min(length, first + share);
    List list = kFirst;
    if (kWide) {
        for (int t = first; t < end; t += 16) {
            const uint4 piece = *(const uint4*)(index + t);
            take_four(list, piece.x);
            take_four(list, piece.y);
            take_four(list, piece.z);
            take_four(list, piece.w);
        }
    } else {
        for (int t = first; t < end; ++t) take(list, index[t]);
    }
    list = list_before(list);
    if (kWide) {
        for (int t = first; t < end; t += 16) {
            uint4 piece = *(const uint4*)(index + t);
            piece.x = take_four(list, piece.x);
            piece.y = take_four(list, piece.y);
            piece.z = take_four(list, piece.z);
            piece.w = take_four(list, piece.w);
            *(uint4*)(symbol + t) = piece;
        }
    } else {
        for (int t = first; t < end; ++t) symbol[t] = (uint8_t)take(list, index[t]);
    }
}

extern "C" void move_to_front(int blocks, int length, const uint8_t* index, uint8_t* symbol) {
    const int grid = (blocks - 1) / 2 + 1;
    if (length % 16 == 0 && ((uintptr_t)index | (uintptr_t)symbol) % 16 == 0)
        decode<true><<<grid, 64>>>(blocks, length, index, symbol);
    else
        decode<false><<<grid, 64>>>(blocks, length, index, symbol);
}
