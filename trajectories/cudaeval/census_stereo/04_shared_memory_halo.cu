// Stereo: codes come from a tile of the picture with two pixels around it.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void encode(int height, int width, const uint8_t* __restrict__ left, const uint8_t* __restrict__ right, uint32_t* __restrict__ codes) {
    __shared__ uint8_t tile[12][36];
    const uint8_t* picture = blockIdx.z ? right : left;
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 12 * 36; i += 256) {
        const int v = min(max((int)blockIdx.y * 8 + i / 36 - 2, 0), height - 1), u = min(max((int)blockIdx.x * 32 + i % 36 - 2, 0), width - 1);
        tile[i / 36][i % 36] = picture[v * width + u];
    }
    __syncthreads();
    if (x >= width || y >= height) return;
    const int own = tile[threadIdx.y + 2][threadIdx.x + 2];
    uint32_t code = 0;
    int bit = 0;
#pragma unroll
    for (int dy = 0; dy < 5; ++dy)
#pragma unroll
        for (int dx = 0; dx < 5; ++dx)
            if (dy != 2 || dx != 2) code |= (uint32_t)(tile[threadIdx.y + dy][threadIdx.x + dx] < own) << bit++;
    codes[(size_t)blockIdx.z * height * width + y * width + x] = code;
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
