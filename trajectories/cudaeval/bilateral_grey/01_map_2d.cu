// Bilateral filter: one pixel a thread, every weight from the image.
#include <cuda_runtime.h>

constexpr int kRadius = 5;
constexpr int kAcross = 32, kDown = 8;

__global__ void smooth(int height, int width, float space, float range, const unsigned char* grey, float* out) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= width || y >= height) return;
    const float centre = grey[(size_t)y * width + x];
    float weights = 0.0f, sum = 0.0f;
    for (int dy = -kRadius; dy <= kRadius; ++dy) {
        for (int dx = -kRadius; dx <= kRadius; ++dx) {
            if (y + dy < 0 || y + dy >= height || x + dx < 0 || x + dx >= width) continue;
            const float near = grey[(size_t)(y + dy) * width + x + dx];
            const float w = expf(-(dx * dx + dy * dy) * space - (near - centre) * (near - centre) * range);
            weights += w;
            sum += w * near;
        }
    }
    out[(size_t)y * width + x] = sum / weights;
}

extern "C" void bilateral_grey(int height, int width, float space, float range, const unsigned char* grey, float* out) {
    const dim3 blocks((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    smooth<<<blocks, dim3(kAcross, kDown)>>>(height, width, space, range, grey, out);
}
