// Stereo: a block holds the codes of its row that its pixels can be matched with.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t census(int height, int width, const uint8_t* picture, int y, int x) {
    const int own = picture[y * width + x];
    uint32_t code = 0;
    int bit = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx)
            if (dy || dx) code |= (uint32_t)(picture[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)] < own) << bit++;
    return code;
}

__global__ void encode(int height, int width, const uint8_t* left, const uint8_t* right, uint32_t* codes) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    codes[(size_t)blockIdx.z * height * width + y * width + x] = census(height, width, blockIdx.z ? right : left, y, x);
}

__global__ void match(int height, int width, int disparities, const uint32_t* __restrict__ left, const uint32_t* __restrict__ right,
                      uint8_t* __restrict__ disparity, uint8_t* __restrict__ cost) {
    __shared__ uint32_t row[256 + 64];
    const int from = blockIdx.x * 256, y = blockIdx.y, x = from + threadIdx.x;
    for (int i = threadIdx.x; i < 320; i += 256) {
        const int u = from - 64 + i;
        row[i] = u >= 0 && u < width ? right[y * width + u] : 0;
    }
    __syncthreads();
    if (x >= width) return;
    const uint32_t own = left[y * width + x];
    int best = 25 << 8;  // bits above, disparity below: one minimum settles both
    const int count = min(disparities, x + 1);
#pragma unroll 4
    for (int d = 0; d < count; ++d) best = min(best, __popc(own ^ row[64 + threadIdx.x - d]) << 8 | d);
    disparity[y * width + x] = best & 255;
    cost[y * width + x] = best >> 8;
}

extern "C" void census_stereo(int height, int width, int disparities, const uint8_t* left, const uint8_t* right, uint8_t* disparity, uint8_t* cost) {
    const size_t pixels = (size_t)height * width;
    uint32_t* codes = nullptr;
    cudaMallocAsync(&codes, 8 * pixels, 0);
    encode<<<dim3((width + 31) / 32, (height + 7) / 8, 2), dim3(32, 8)>>>(height, width, left, right, codes);
    match<<<dim3((width + 255) / 256, height), 256>>>(height, width, disparities, codes, codes + pixels, disparity, cost);
    cudaFreeAsync(codes, 0);
}
