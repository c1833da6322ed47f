// Colour planes of a mosaic: one thread a filter of four pixels, two of a row read at once, so that each plane is written side by side.
#include <cuda_runtime.h>

#include <cstdint>

__device__ inline uint16_t above(int value, int black) { return (uint16_t)max(value - black, 0); }

__global__ void split(int height, int width, const uint16_t* __restrict__ black, const ushort2* __restrict__ raw,
                      uint16_t* __restrict__ plane) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const ushort2 upper = raw[2LL * y * width + x], lower = raw[(2LL * y + 1) * width + x];
    const long long pixels = (long long)height * width, at = (long long)y * width + x;
    plane[at] = above(upper.x, black[0]);
    plane[pixels + at] = above(upper.y, black[1]);
    plane[2 * pixels + at] = above(lower.x, black[2]);
    plane[3 * pixels + at] = above(lower.y, black[3]);
}

extern "C" void bayer_planes(int height, int width, const uint16_t* black, const uint16_t* raw, uint16_t* plane) {
    const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
    split<<<grid, block>>>(height, width, black, (const ushort2*)raw, plane);
}
