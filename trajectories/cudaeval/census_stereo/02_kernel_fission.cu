// Stereo: codes of both pictures first, then the search over codes.
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

__global__ void match(int height, int width, int disparities, const uint32_t* left, const uint32_t* right, uint8_t* disparity, uint8_t* cost) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    const uint32_t own = left[y * width + x];
    int best = 25, where = 0;
    for (int d = 0; d < disparities && d <= x; ++d) {
        const int bits = __popc(own ^ right[y * width + x - d]);
        if (bits < best) best = bits, where = d;
    }
    disparity[y * width + x] = where;
    cost[y * width + x] = best;
}

extern "C" void census_stereo(int height, int width, int disparities, const uint8_t* left, const uint8_t* right, uint8_t* disparity, uint8_t* cost) {
    const size_t pixels = (size_t)height * width;
    uint32_t* codes = nullptr;
    cudaMallocAsync(&codes, 8 * pixels, 0);
    const dim3 threads(32, 8), blocks((width + 31) / 32, (height + 7) / 8);
    encode<<<dim3(blocks.x, blocks.y, 2), threads>>>(height, width, left, right, codes);
    match<<<blocks, threads>>>(height, width, disparities, codes, codes + pixels, disparity, cost);
    cudaFreeAsync(codes, 0);
}
