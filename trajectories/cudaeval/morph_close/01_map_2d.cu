// Closing: one pixel a thread over its whole square, twice.
#include <cuda_runtime.h>

#include <cstdint>

template <bool kLargest>
__device__ int pick(int a, int b) {
    return kLargest ? max(a, b) : min(a, b);
}

template <bool kLargest>
__global__ void filter(int height, int width, int r, const uint8_t* in, uint8_t* out) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    int best = in[y * width + x];
    for (int v = max(0, y - r); v <= min(height - 1, y + r); ++v)
        for (int u = max(0, x - r); u <= min(width - 1, x + r); ++u) best = pick<kLargest>(best, in[v * width + u]);
    out[y * width + x] = (uint8_t)best;
}

__global__ void compare(int pixels, const uint8_t* picture, const uint8_t* filled, unsigned long long* gained) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < pixels && filled[i] != picture[i]) atomicAdd(gained, (unsigned long long)(filled[i] - picture[i]));
}

extern "C" void morph_close(int height, int width, int r, const uint8_t* picture, uint8_t* filled, int64_t* gained) {
    const dim3 grid((width + 31) / 32, (height + 7) / 8), block(32, 8);
    uint8_t* dilated = nullptr;
    cudaMallocAsync(&dilated, (size_t)height * width, 0);
    cudaMemsetAsync(gained, 0, sizeof(int64_t));
    filter<true><<<grid, block>>>(height, width, r, picture, dilated);
    filter<false><<<grid, block>>>(height, width, r, dilated, filled);
    compare<<<(height * width + 255) / 256, 256>>>(height * width, picture, filled, reinterpret_cast<unsigned long long*>(gained));
    cudaFreeAsync(dilated, 0);
}
