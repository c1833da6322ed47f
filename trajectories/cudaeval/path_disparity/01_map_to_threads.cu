// Paths: one row a thread; path costs to the right wait in scratch for those to the left.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void walk(int height, int width, int levels, int small, int large, const uint8_t* cost, int* sums, uint8_t* disparity, int* total) {
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height) return;
    int path[64], next[64];
    for (int way = 0; way < 2; ++way) {
        int least = 0;
        for (int k = 0; k < width; ++k) {
            const int x = way ? width - 1 - k : k;
            const size_t at = ((size_t)y * width + x) * levels;
            int low = 0x7fffffff, best = 0x7fffffff, where = 0;
            for (int d = 0; d < levels; ++d) {
                int now = cost[at + d];
                if (k) {
                    int step = min(path[d], least + large);
                    if (d > 0) step = min(step, path[d - 1] + small);
                    if (d + 1 < levels) step = min(step, path[d + 1] + small);
                    now += step - least;
                }
                next[d] = now;
                low = min(low, now);
                if (way == 0) sums[at + d] = now;
                else if (sums[at + d] + now < best) best = sums[at + d] + now, where = d;
            }
            for (int d = 0; d < levels; ++d) path[d] = next[d];
            least = low;
            if (way) {
                disparity[(size_t)y * width + x] = where;
                total[(size_t)y * width + x] = best;
            }
        }
    }
}

extern "C" void path_disparity(int height, int width, int levels, int32_t small, int32_t large, const uint8_t* cost, uint8_t* disparity, int32_t* total) {
    int* sums = nullptr;
    cudaMallocAsync(&sums, sizeof(int) * (size_t)height * width * levels, 0);
    walk<<<(height + 31) / 32, 32>>>(height, width, levels, small, large, cost, sums, disparity, total);
    cudaFreeAsync(sums, 0);
}
