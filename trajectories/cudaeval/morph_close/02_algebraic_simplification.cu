// Closing: a square is a row of columns: each filter is a pass along rows and one along columns.
#include <cuda_runtime.h>

#include <cstdint>

template <bool kLargest>
__device__ int pick(int a, int b) {
    return kLargest ? max(a, b) : min(a, b);
}

template <bool kLargest, bool kAcross>
__global__ void filter(int height, int width, int r, const uint8_t* in, uint8_t* out) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    const int place = kAcross ? x : y, end = kAcross ? width : height, stride = kAcross ? 1 : width;
    const uint8_t* line = in + y * width + x - place * stride;
    int best = line[place * stride];
    for (int k = max(0, place - r); k <= min(end - 1, place + r); ++k) best = pick<kLargest>(best, line[k * stride]);
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
    filter<true, true><<<grid, block>>>(height, width, r, picture, filled);
    filter<true, false><<<grid, block>>>(height, width, r, filled, dilated);
    filter<false, true><<<grid, block>>>(height, width, r, dilated, filled);
    filter<false, false><<<grid, block>>>(height, width, r, filled, dilated);
    cudaMemcpyAsync(filled, dilated, (size_t)height * width, cudaMemcpyDeviceToDevice);
    compare<<<(height * width + 255) / 256, 256>>>(height * width, picture, filled, reinterpret_cast<unsigned long long*>(gained));
    cudaFreeAsync(dilated, 0);
}
