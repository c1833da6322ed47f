// Seam cost in one cooperative launch, with a grid-wide barrier after each row.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>

namespace cg = cooperative_groups;

constexpr int kThreads = 128;

__global__ void all_rows(int height, int width, const int* energy, int* cost, signed char* from) {
    auto grid = cg::this_grid();
    const int start = blockIdx.x * kThreads + threadIdx.x, step = gridDim.x * kThreads;
    for (int x = start; x < width; x += step) {
        cost[x] = energy[x];
        from[x] = 0;
    }
    for (int y = 1; y < height; ++y) {
        grid.sync();
        const size_t row = (size_t)y * width;
        const int* above = cost + row - width;
        for (int x = start; x < width; x += step) {
            int best = above[x], direction = 0;
            if (x + 1 < width && above[x + 1] < best) {
                best = above[x + 1];
                direction = 1;
            }
            if (x > 0 && above[x - 1] <= best) {
                best = above[x - 1];
                direction = -1;
            }
            cost[row + x] = energy[row + x] + best;
            from[row + x] = (signed char)direction;
        }
    }
}

extern "C" void seam_cost(int height, int width, const int* energy, int* cost, signed char* from) {
    int device = 0, processors = 0, resident = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, all_rows, kThreads, 0);
    const int blocks = std::min((width - 1) / kThreads + 1, processors * resident);
    void* arguments[] = {&height, &width, &energy, &cost, &from};
    cudaLaunchCooperativeKernel(all_rows, dim3(blocks), dim3(kThreads), arguments, 0, nullptr);
}
