// NV12 to RGB: four pixels of a row a thread, words in place of bytes where the rows are aligned.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t clamp_byte(int value) { return (uint32_t)min(max(value, 0), 255); }

// Red, green and blue in the low three bytes.
__device__ uint32_t colour(int luma, int u, int v) {
    const int c = 298 * (luma - 16) + 128, d = u - 128, e = v - 128;
    return clamp_byte((c + 409 * e) >> 8) | clamp_byte((c - 100 * d - 208 * e) >> 8) << 8 | clamp_byte((c + 516 * d) >> 8) << 16;
}

__global__ void convert_words(int height, int width, const uint8_t* luma, const uint8_t* chroma, uint8_t* rgb) {
    const int col = 4 * (blockIdx.x * 32 + threadIdx.x), row = blockIdx.y * 8 + threadIdx.y;
    if (col >= width || row >= height) return;
    const uchar4 y = *(const uchar4*)(luma + (size_t)row * width + col);
    const uchar4 uv = *(const uchar4*)(chroma + (size_t)(row / 2) * width + col);
    const uint32_t p0 = colour(y.x, uv.x, uv.y), p1 = colour(y.y, uv.x, uv.y);
    const uint32_t p2 = colour(y.z, uv.z, uv.w), p3 = colour(y.w, uv.z, uv.w);
    uint32_t* out = (uint32_t*)(rgb + 3 * ((size_t)row * width + col));
    out[0] = p0 | p1 << 24;
    out[1] = p1 >> 8 | p2 << 16;
    out[2] = p2 >> 16 | p3 << 8;
}

__global__ void convert_bytes(int height, int width, const uint8_t* luma, const uint8_t* chroma, uint8_t* rgb) {
    const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (col >= width || row >= height) return;
    const uint8_t* uv = chroma + (size_t)(row / 2) * width + col / 2 * 2;
    const uint32_t p = colour(luma[(size_t)row * width + col], uv[0], uv[1]);
    uint8_t* out = rgb + 3 * ((size_t)row * width + col);
    out[0] = (uint8_t)p;
    out[1] = (uint8_t)(p >> 8);
    out[2] = (uint8_t)(p >> 16);
}

extern "C" void nv12_to_rgb(int height, int width, const uint8_t* luma, const uint8_t* chroma, uint8_t* rgb) {
    const dim3 block(32, 8);
    const int rows = (height - 1) / 8 + 1;
    const bool aligned = width % 4 == 0 && ((uintptr_t)luma | (uintptr_t)chroma | (uintptr_t)rgb) % 4 == 0;
    if (aligned)
        convert_words<<<dim3((width / 4 - 1) / 32 + 1, rows), block>>>(height, width, luma, chroma, rgb);
    else
        convert_bytes<<<dim3((width - 1) / 32 + 1, rows), block>>>(height, width, luma, chroma, rgb);
}
