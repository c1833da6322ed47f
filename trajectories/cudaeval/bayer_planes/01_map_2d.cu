// Colour planes of a mosaic: one thread a pixel of the sensor, a block over a patch of it.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void split(int height, int width, const uint16_t* black, const uint16_t* raw, uint16_t* plane) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= 2 * width || y >= 2 * height) return;
    const int place = 2 * (y & 1) + (x & 1);
    const int above = raw[(long long)y * 2 * width + x] - black[place];
    plane[((long long)place * height + y / 2) * width + x / 2] = (uint16_t)max(above, 0);
}

extern "C" void bayer_planes(int height, int width, const uint16_t* black, const uint16_t* raw, uint16_t* plane) {
    const dim3 block(32, 8), grid((2 * width + 31) / 32, (2 * height + 7) / 8);
    split<<<grid, block>>>(height, width, black, raw, plane);
}
