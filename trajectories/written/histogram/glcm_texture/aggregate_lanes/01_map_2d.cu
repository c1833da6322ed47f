// Grey-level co-occurrence: a thread for each pixel, global atomics.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;

__global__ void count(int width, int height, const unsigned char* image, const unsigned char* mask, unsigned* pairs) {
    const int step_x[4] = {1, 1, 0, -1}, step_y[4] = {0, 1, 1, 1};
    int x = blockIdx.x * kBlockX + threadIdx.x, y = blockIdx.y * kBlockY + threadIdx.y;
    if (x >= width || y >= height) return;
    size_t here = (size_t)y * width + x;
    if (!mask[here]) return;
    for (int d = 0; d < 4; ++d) {
        int nx = x + step_x[d], ny = y + step_y[d];
        if (nx < 0 || nx >= width || ny >= height) continue;
        size_t there = (size_t)ny * width + nx;
        if (!mask[there]) continue;
        atomicAdd(&pairs[(d * 16 + image[here] / 16) * 16 + image[there] / 16], 1u);
    }
}

extern "C" void glcm_texture(int width, int height, const unsigned char* image, const unsigned char* mask,
                             unsigned* pairs) {
    cudaMemsetAsync(pairs, 0, 4 * 16 * 16 * sizeof(unsigned));
    dim3 block(kBlockX, kBlockY), grid((width - 1) / kBlockX + 1, (height - 1) / kBlockY + 1);
    count<<<grid, block>>>(width, height, image, mask, pairs);
}
