// NV12 to RGB: one pixel a thread, a 32 x 8 rectangle a block.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint8_t clamp_byte(int value) { return (uint8_t)min(max(value, 0), 255); }

__global__ void convert(int height, int width, const uint8_t* luma, const uint8_t* chroma, uint8_t* rgb) {
    const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (col >= width || row >= height) return;
    const uint8_t* uv = chroma + (size_t)(row / 2) * width + col / 2 * 2;
    const int c = 298 * (luma[(size_t)row * width + col] - 16), d = uv[0] - 128, e = uv[1] - 128;
    uint8_t* out = rgb + 3 * ((size_t)row * width + col);
    out[0] = clamp_byte((c + 409 * e + 128) >> 8);
    out[1] = clamp_byte((c - 100 * d - 208 * e + 128) >> 8);
    out[2] = clamp_byte((c + 516 * d + 128) >> 8);
}

extern "C" void nv12_to_rgb(int height, int width, const uint8_t* luma, const uint8_t* chroma, uint8_t* rgb) {
    convert<<<dim3((width - 1) / 32 + 1, (height - 1) / 8 + 1), dim3(32, 8)>>>(height, width, luma, chroma, rgb);
}
