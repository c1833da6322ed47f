// Sudoku: a warp takes a grid, three cells a lane in registers; digits in use are gathered in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void fill(int grids, uint8_t* grid, int* rounds, uint8_t* stuck) {
    __shared__ int used_of[4][27];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = blockIdx.x * 4 + warp;
    if (g >= grids) return;
    uint8_t* cell = grid + 81ll * g;
    int* used = used_of[warp];
    if (lane < 27) used[lane] = 0;
    __syncwarp();
    int digit[3], house[3][3];
    for (int k = 0; k < 3; ++k) {
        const int i = lane + 32 * k, r = i / 9, c = i % 9;
        digit[k] = i < 81 ? cell[i] : 10;
        house[k][0] = min(r, 8), house[k][1] = 9 + c, house[k][2] = 18 + min(r, 8) / 3 * 3 + c / 3;
        if (i < 81 && digit[k])
            for (int h = 0; h < 3; ++h) atomicOr(&used[house[k][h]], 1 << digit[k]);
    }
    __syncwarp();
    int count = 0;
    bool none;
    while (true) {
        bool any = false;
        none = false;
        int left[3];
        for (int k = 0; k < 3; ++k) {
            left[k] = digit[k] ? 1022 : ~(used[house[k][0]] | used[house[k][1]] | used[house[k][2]]) & 1022;
            none = none || !left[k];
            any = any || __popc(left[k]) == 1;
        }
        __syncwarp();
        if (!__any_sync(0xffffffffu, any)) break;
        ++count;
        for (int k = 0; k < 3; ++k)
            if (__popc(left[k]) == 1) {
                digit[k] = __ffs(left[k]) - 1;
                cell[lane + 32 * k] = digit[k];
                for (int h = 0; h < 3; ++h) atomicOr(&used[house[k][h]], left[k]);
            }
        __syncwarp();
    }
    none = __any_sync(0xffffffffu, none);
    if (lane == 0) {
        rounds[g] = count;
        stuck[g] = none;
    }
}

extern "C" void sudoku_singles(int grids, uint8_t* grid, int32_t* rounds, uint8_t* stuck) {
    fill<<<(grids + 3) / 4, 128>>>(grids, grid, rounds, stuck);
}
