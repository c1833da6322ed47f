// Interleaved pixels to planes: columns and rows on two dimensions, the three colours of a pixel in one thread.
#include <cuda_runtime.h>

__global__ void unpack(int batch, int height, int width, const unsigned char* pixels, const unsigned char* mirror, const float* mean,
                       const float* inverse_std, float* planes) {
    const size_t line = (size_t)blockIdx.x * 8 + threadIdx.y, area = (size_t)height * width;
    const int x = blockIdx.y * 32 + threadIdx.x;
    if (line >= (size_t)batch * height || x >= width) return;
    const int b = (int)(line / height), y = (int)(line % height);
    const unsigned char* from = pixels + (line * width + (mirror[b] != 0 ? width - 1 - x : x)) * 3;
    float* to = planes + b * 3 * area + (size_t)y * width + x;
    for (int c = 0; c < 3; ++c) to[c * area] = (from[c] / 255.0f - mean[c]) * inverse_std[c];
}

extern "C" void pixels_to_planes(int batch, int height, int width, const unsigned char* pixels, const unsigned char* mirror,
                                 const float* mean, const float* inverse_std, float* planes) {
    // Rows of all images on x, which has the most room.
    const dim3 grid((unsigned int)(((size_t)batch * height - 1) / 8 + 1), (width - 1) / 32 + 1), block(32, 8);
    unpack<<<grid, block>>>(batch, height, width, pixels, mirror, mean, inverse_std, planes);
}
