// Reversi: one position a thread, walks from every empty square.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long board_t;

__device__ bool legal(board_t own, board_t enemy, int r, int c) {
    if ((own | enemy) >> (8 * r + c) & 1) return false;
    for (int d = 0; d < 9; ++d) {
        const int dr = d / 3 - 1, dc = d % 3 - 1;
        if (d == 4) continue;
        int y = r + dr, x = c + dc, taken = 0;
        while (y >= 0 && y < 8 && x >= 0 && x < 8 && (enemy >> (8 * y + x) & 1)) y += dr, x += dc, ++taken;
        if (taken && y >= 0 && y < 8 && x >= 0 && x < 8 && (own >> (8 * y + x) & 1)) return true;
    }
    return false;
}

__global__ void find(int positions, const uint64_t* own, const uint64_t* enemy, uint64_t* moves, int* mobility) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= positions) return;
    const board_t a = own[i], b = enemy[i] & ~a;
    board_t found = 0;
    for (int square = 0; square < 64; ++square)
        if (legal(a, b, square / 8, square % 8)) found |= 1ull << square;
    moves[i] = found;
    atomicAdd(&mobility[__popcll(found)], 1);
}

extern "C" void reversi_moves(int positions, const uint64_t* own, const uint64_t* enemy, uint64_t* moves, int32_t* mobility) {
    cudaMemsetAsync(mobility, 0, 65 * sizeof(int32_t));
    find<<<(positions + 127) / 128, 128>>>(positions, own, enemy, moves, mobility);
}
