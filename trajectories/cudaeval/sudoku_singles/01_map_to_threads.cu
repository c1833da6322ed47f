// Sudoku: one grid a thread, candidates of a cell from its 27 neighbours.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int candidates(const uint8_t* cell, int r, int c) {
    int used = 1;
    for (int k = 0; k < 9; ++k) used |= 1 << cell[9 * r + k] | 1 << cell[9 * k + c] | 1 << cell[9 * (r / 3 * 3 + k / 3) + c / 3 * 3 + k % 3];
    return ~used & 1023;
}

__global__ void fill(int grids, uint8_t* grid, int* rounds, uint8_t* stuck) {
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= grids) return;
    uint8_t* cell = grid + 81ll * g;
    int count = 0;
    bool none = false;
    for (bool any = true; any;) {
        uint8_t found[81];
        any = none = false;
        for (int i = 0; i < 81; ++i) {
            found[i] = cell[i];
            if (found[i]) continue;
            const int left = candidates(cell, i / 9, i % 9);
            none = none || !left;
            if (__popc(left) != 1) continue;
            found[i] = __ffs(left) - 1;
            any = true;
        }
        if (any) ++count;
        for (int i = 0; any && i < 81; ++i) cell[i] = found[i];
    }
    rounds[g] = count;
    stuck[g] = none;
}

extern "C" void sudoku_singles(int grids, uint8_t* grid, int32_t* rounds, uint8_t* stuck) {
    fill<<<(grids + 63) / 64, 64>>>(grids, grid, rounds, stuck);
}
