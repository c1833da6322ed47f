// Paths: a warp takes a row, two levels a lane; neighbours' path costs come by shuffles.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void walk(int width, int levels, int small, int large, const uint8_t* cost, int* sums, uint8_t* disparity, int* total) {
    const int lane = threadIdx.x, y = blockIdx.x, far = 1 << 28;
    const bool has_a = lane < levels, has_b = lane + 32 < levels;
    for (int way = 0; way < 2; ++way) {
        int a = 0, b = 0, least = 0;
        for (int k = 0; k < width; ++k) {
            const int x = way ? width - 1 - k : k;
            const size_t at = ((size_t)y * width + x) * levels;
            int next_a = has_a ? cost[at + lane] : far, next_b = has_b ? cost[at + lane + 32] : far;
            if (k) {
                const int up_a = __shfl_up_sync(0xffffffffu, a, 1), down_a = __shfl_down_sync(0xffffffffu, a, 1);
                const int up_b = __shfl_up_sync(0xffffffffu, b, 1), down_b = __shfl_down_sync(0xffffffffu, b, 1);
                const int a31 = __shfl_sync(0xffffffffu, a, 31), b0 = __shfl_sync(0xffffffffu, b, 0);
                const int below_a = lane ? up_a : far, above_a = lane < 31 ? down_a : b0, below_b = lane ? up_b : a31, above_b = lane < 31 ? down_b : far;
                if (has_a) next_a += min(min(a, least + large), min(below_a, above_a) + small) - least;
                if (has_b) next_b += min(min(b, least + large), min(below_b, above_b) + small) - least;
            }
            a = next_a;
            b = next_b;
            least = __reduce_min_sync(0xffffffffu, min(a, b));
            if (way == 0) {
                if (has_a) sums[at + lane] = a;
                if (has_b) sums[at + lane + 32] = b;
            } else {
                int key = 0x7fffffff;  // sum above, level below
                if (has_a) key = (sums[at + lane] + a) << 6 | lane;
                if (has_b) key = min(key, (sums[at + lane + 32] + b) << 6 | (lane + 32));
                key = __reduce_min_sync(0xffffffffu, key);
                if (lane == 0) {
                    disparity[(size_t)y * width + x] = key & 63;
                    total[(size_t)y * width + x] = key >> 6;
                }
            }
        }
    }
}

extern "C" void path_disparity(int height, int width, int levels, int32_t small, int32_t large, const uint8_t* cost, uint8_t* disparity, int32_t* total) {
    int* sums = nullptr;
    cudaMallocAsync(&sums, sizeof(int) * (size_t)height * width * levels, 0);
    walk<<<height, 32>>>(width, levels, small, large, cost, sums, disparity, total);
    cudaFreeAsync(sums, 0);
}
