#include <cuda_runtime.h>

constexpr int kThreads = 128, kWalk = 16;  // rows that a thread walks down
constexpr int kNever = 1 << 20;            // higher than any cell, so that water never runs outside

struct Line {
    int west, here, east;
};

__device__ Line line(int rows, int cols, const short* __restrict__ height, int r, int c) {
    if (r < 0 || r >= rows) return {kNever, kNever, kNever};
    const short* at = height + (long long)r * cols + c;
    return {c > 0 ? at[-1] : kNever, at[0], c < cols - 1 ? at[1] : kNever};
}

__device__ void look(int drop, int weight, int code, int& steepest, int& chosen) {
    int slope = drop * weight;
    chosen = slope > steepest ? code : chosen;
    steepest = max(slope, steepest);
}

// Each thread walks down a column with three lines of three cells in registers, so that a cell is loaded three times in place of nine.
__global__ void steepest_descent(int rows, int cols, const short* __restrict__ height, unsigned char* __restrict__ direction) {
    int c = blockIdx.x * kThreads + threadIdx.x, first = blockIdx.y * kWalk;
    if (c >= cols) return;
    Line above = line(rows, cols, height, first - 1, c), row = line(rows, cols, height, first, c);
#pragma unroll 4
    for (int r = first; r < min(rows, first + kWalk); ++r) {
        Line below = line(rows, cols, height, r + 1, c);
        int steepest = 0, code = 0, here = row.here;
        look(here - row.east, 99, 1, steepest, code);
        look(here - below.east, 70, 2, steepest, code);
        look(here - below.here, 99, 4, steepest, code);
        look(here - below.west, 70, 8, steepest, code);
        look(here - row.west, 99, 16, steepest, code);
        look(here - above.west, 70, 32, steepest, code);
        look(here - above.here, 99, 64, steepest, code);
        look(here - above.east, 70, 128, steepest, code);
        direction[(long long)r * cols + c] = (unsigned char)code;
        above = row;
        row = below;
    }
}

extern "C" void flow_direction(int rows, int cols, const short* height, unsigned char* direction) {
    if (rows > 0 && cols > 0)
        steepest_descent<<<dim3((cols + kThreads - 1) / kThreads, (rows + kWalk - 1) / kWalk), kThreads>>>(rows, cols, height, direction);
}
