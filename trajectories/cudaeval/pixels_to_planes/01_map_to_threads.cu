// Interleaved pixels to planes: one output element a thread.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void unpack(int batch, int height, int width, const unsigned char* pixels, const unsigned char* mirror, const float* mean,
                       const float* inverse_std, float* planes) {
    const size_t at = (size_t)blockIdx.x * kThreads + threadIdx.x;
    if (at >= (size_t)batch * 3 * height * width) return;
    const int x = at % width, y = at / width % height, c = at / width / height % 3, b = at / width / height / 3;
    const int from = mirror[b] != 0 ? width - 1 - x : x;
    planes[at] = (pixels[(((size_t)b * height + y) * width + from) * 3 + c] / 255.0f - mean[c]) * inverse_std[c];
}

extern "C" void pixels_to_planes(int batch, int height, int width, const unsigned char* pixels, const unsigned char* mirror,
                                 const float* mean, const float* inverse_std, float* planes) {
    const size_t elements = (size_t)batch * 3 * height * width;
    unpack<<<(unsigned int)((elements - 1) / kThreads + 1), kThreads>>>(batch, height, width, pixels, mirror, mean, inverse_std, planes);
}
