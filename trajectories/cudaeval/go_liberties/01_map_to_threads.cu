// Go: one position a thread fills each group from a stack of its own.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void count(int positions, int side, const uint8_t* boards, int* liberties, int* captured) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= positions) return;
    const int points = side * side;
    const uint8_t* board = boards + (size_t)p * points;
    int* out = liberties + (size_t)p * points;
    short group[361], mark[361];
    for (int i = 0; i < points; ++i) out[i] = board[i] ? -1 : 0, mark[i] = -1;
    int dead = 0;
    for (int at = 0; at < points; ++at) {
        if (out[at] >= 0) continue;
        int stones = 1, free = 0;
        group[0] = at;
        out[at] = 0;
        for (int k = 0; k < stones; ++k) {
            const int here = group[k], y = here / side, x = here % side;
            for (int d = 0; d < 4; ++d) {
                const int v = y + (d == 0) - (d == 1), u = x + (d == 2) - (d == 3), other = v * side + u;
                if (v < 0 || u < 0 || v >= side || u >= side) continue;
                if (!board[other]) {
                    if (mark[other] != at) ++free;
                    mark[other] = at;
                } else if (board[other] == board[at] && out[other] < 0) {
                    out[other] = 0;
                    group[stones++] = other;
                }
            }
        }
        for (int k = 0; k < stones; ++k) out[group[k]] = free;
        if (!free) dead += stones;
    }
    captured[p] = dead;
}

extern "C" void go_liberties(int positions, int side, const uint8_t* board, int32_t* liberties, int32_t* captured) {
    count<<<(positions + 63) / 64, 64>>>(positions, side, board, liberties, captured);
}
