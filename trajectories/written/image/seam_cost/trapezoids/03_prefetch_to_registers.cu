// Seam cost, sixteen rows per launch; the next row's energy is loaded one row ahead.
#include <cuda_runtime.h>

#include <climits>

constexpr int kThreads = 256;
constexpr int kRows = 16;                     // per launch, and columns given up on each side
constexpr int kKept = kThreads - 2 * kRows;

__global__ void next_rows(int height, int width, int first, const int* energy, int* cost, signed char* from) {
    __shared__ int line[2][kThreads + 2];  // a border of one on each side, which nobody needs to be right
    const int t = threadIdx.x, x = blockIdx.x * kKept - kRows + t;
    const bool in_image = x >= 0 && x < width, stored = in_image && t >= kRows && t < kRows + kKept;
    if (t < 2) line[t][0] = line[t][kThreads + 1] = INT_MAX;
    int own = in_image && first > 0 ? cost[(size_t)(first - 1) * width + x] : INT_MAX;
    const int last = min(first + kRows, height) - 1;
    int waiting = in_image ? energy[(size_t)first * width + x] : 0;
    for (int y = first; y <= last; ++y) {
        const int energy_here = waiting;
        if (in_image && y < last) waiting = energy[(size_t)(y + 1) * width + x];
        int* above = line[y & 1];
        above[t + 1] = own;
        __syncthreads();
        int best = own, direction = 0;
        if (above[t + 2] < best) {
            best = above[t + 2];
            direction = 1;
        }
        if (x > 0 && above[t] <= best) {
            best = above[t];
            direction = -1;
        }
        if (y == 0) best = direction = 0;
        const size_t at = (size_t)y * width + x;
        own = in_image ? energy_here + best : INT_MAX;
        if (!stored) continue;
        cost[at] = own;
        from[at] = (signed char)direction;
    }
}

extern "C" void seam_cost(int height, int width, const int* energy, int* cost, signed char* from) {
    const int blocks = (width - 1) / kKept + 1;
    for (int first = 0; first < height; first += kRows)
        next_rows<<<blocks, kThreads>>>(height, width, first, energy, cost, from);
}
