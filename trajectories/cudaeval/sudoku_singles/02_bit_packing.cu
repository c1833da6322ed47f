// Sudoku: digits of rows, columns and boxes are kept as bits, and a cell's candidates are three words.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void fill(int grids, uint8_t* grid, int* rounds, uint8_t* stuck) {
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= grids) return;
    uint8_t* cell = grid + 81ll * g;
    int used[27] = {};
    for (int i = 0; i < 81; ++i) {
        const int bit = 1 << cell[i], r = i / 9, c = i % 9;
        used[r] |= bit, used[9 + c] |= bit, used[18 + r / 3 * 3 + c / 3] |= bit;
    }
    int count = 0;
    bool none = false;
    for (bool any = true; any;) {
        int next[27];
        for (int k = 0; k < 27; ++k) next[k] = used[k];
        any = none = false;
        for (int i = 0; i < 81; ++i) {
            if (cell[i]) continue;
            const int r = i / 9, c = i % 9, b = r / 3 * 3 + c / 3, left = ~(used[r] | used[9 + c] | used[18 + b]) & 1022;
            none = none || !left;
            if (__popc(left) != 1) continue;
            cell[i] = __ffs(left) - 1;
            next[r] |= left, next[9 + c] |= left, next[18 + b] |= left;
            any = true;
        }
        if (any) ++count;
        for (int k = 0; k < 27; ++k) used[k] = next[k];
    }
    rounds[g] = count;
    stuck[g] = none;
}

extern "C" void sudoku_singles(int grids, uint8_t* grid, int32_t* rounds, uint8_t* stuck) {
    fill<<<(grids + 63) / 64, 64>>>(grids, grid, rounds, stuck);
}
