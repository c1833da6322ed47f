// Seam cost, one launch per row, one thread per column.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void first_row(int width, const int* energy, int* cost, signed char* from) {
    int x = blockIdx.x * kThreads + threadIdx.x;
    if (x >= width) return;
    cost[x] = energy[x];
    from[x] = 0;
}

__global__ void next_row(int width, const int* energy, const int* above, int* cost, signed char* from) {
    int x = blockIdx.x * kThreads + threadIdx.x;
    if (x >= width) return;
    int best = above[x], direction = 0;
    if (x + 1 < width && above[x + 1] < best) {
        best = above[x + 1];
        direction = 1;
    }
    if (x > 0 && above[x - 1] <= best) {
        best = above[x - 1];
        direction = -1;
    }
    cost[x] = energy[x] + best;
    from[x] = (signed char)direction;
}

extern "C" void seam_cost(int height, int width, const int* energy, int* cost, signed char* from) {
    const int blocks = (width - 1) / kThreads + 1;
    first_row<<<blocks, kThreads>>>(width, energy, cost, from);
    for (int y = 1; y < height; ++y) {
        const size_t row = (size_t)y * width;
        next_row<<<blocks, kThreads>>>(width, energy + row, cost + row - width, cost + row, from + row);
    }
}
