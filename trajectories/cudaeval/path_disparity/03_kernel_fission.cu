// Paths: both ways of a row run side by side in warps of their own, with 16-bit sums that the first of them leaves; a last launch joins them, a pixel a warp.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void walk(int width, int levels, int small, int large, const uint8_t* __restrict__ cost, uint16_t* __restrict__ paths) {
    const int lane = threadIdx.x, way = blockIdx.y, y = blockIdx.x, far = 1 << 28;
    const bool has_a = lane < levels, has_b = lane + 32 < levels;
    uint16_t* own = paths + (size_t)way * gridDim.x * width * levels;
    int a = 0, b = 0, least = 0;
    const size_t row = (size_t)y * width;
    size_t at = (row + (way ? width - 1 : 0)) * levels;
    int fresh_a = has_a ? cost[at + lane] : far, fresh_b = has_b ? cost[at + lane + 32] : far;
    for (int k = 0; k < width; ++k) {
        int next_a = fresh_a, next_b = fresh_b;
        const size_t here = at;
        if (k + 1 < width) {
            at = (row + (way ? width - 2 - k : k + 1)) * levels;
            if (has_a) fresh_a = cost[at + lane];
            if (has_b) fresh_b = cost[at + lane + 32];
        }
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
        if (has_a) own[here + lane] = a;
        if (has_b) own[here + lane + 32] = b;
    }
}

__global__ void join(int pixels, int levels, const uint16_t* __restrict__ right, const uint16_t* __restrict__ left, uint8_t* __restrict__ disparity, int* __restrict__ total) {
    const int p = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (p >= pixels) return;
    int key = 0x7fffffff;
    for (int d = lane; d < levels; d += 32) key = min(key, (right[(size_t)p * levels + d] + left[(size_t)p * levels + d]) << 6 | d);
    key = __reduce_min_sync(0xffffffffu, key);
    if (lane) return;
    disparity[p] = key & 63;
    total[p] = key >> 6;
}

extern "C" void path_disparity(int height, int width, int levels, int32_t small, int32_t large, const uint8_t* cost, uint8_t* disparity, int32_t* total) {
    const size_t all = (size_t)height * width * levels;
    uint16_t* paths = nullptr;
    cudaMallocAsync(&paths, 2 * sizeof(uint16_t) * all, 0);
    walk<<<dim3(height, 2), 32>>>(width, levels, small, large, cost, paths);
    join<<<(height * width + 7) / 8, 256>>>(height * width, levels, paths, paths + all, disparity, total);
    cudaFreeAsync(paths, 0);
}
