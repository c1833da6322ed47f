// Seam cost in one cooperative launch; bands of sixteen rows between grid-wide barriers, tiles with shrinking borders.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <climits>

namespace cg = cooperative_groups;

constexpr int kThreads = 256;
constexpr int kRows = 16;  // between grid-wide barriers, and columns given up on each side
constexpr int kKept = kThreads - 2 * kRows;

__device__ void band(int height, int width, int tile, int first, const int* energy, int* cost, signed char* from,
                     int (*line)[kThreads + 2]) {
    const int t = threadIdx.x, x = tile * kKept - kRows + t;
    const bool in_image = x >= 0 && x < width, stored = in_image && t >= kRows && t < kRows + kKept;
    int own = in_image && first > 0 ? cost[(size_t)(first - 1) * width + x] : INT_MAX;
    for (int y = first; y < min(first + kRows, height); ++y) {
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
        own = in_image ? energy[at] + best : INT_MAX;
        if (!stored) continue;
        cost[at] = own;
        from[at] = (signed char)direction;
    }
    __syncthreads();  // before the next tile writes to the lines
}

__global__ void all_rows(int height, int width, const int* energy, int* cost, signed char* from) {
    __shared__ int line[2][kThreads + 2];  // a border of one on each side, which nobody needs to be right
    auto grid = cg::this_grid();
    if (threadIdx.x < 2) line[threadIdx.x][0] = line[threadIdx.x][kThreads + 1] = INT_MAX;
    for (int first = 0; first < height; first += kRows) {
        for (int tile = blockIdx.x; tile * kKept < width; tile += gridDim.x)
            band(height, width, tile, first, energy, cost, from, line);
        grid.sync();
    }
}

extern "C" void seam_cost(int height, int width, const int* energy, int* cost, signed char* from) {
    int device = 0, processors = 0, resident = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, all_rows, kThreads, 0);
    const int blocks = std::min((width - 1) / kKept + 1, processors * resident);
    void* arguments[] = {&height, &width, &energy, &cost, &from};
    cudaLaunchCooperativeKernel(all_rows, dim3(blocks), dim3(kThreads), arguments, 0, nullptr);
}
