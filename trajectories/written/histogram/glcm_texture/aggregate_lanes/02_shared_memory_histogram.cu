// Grey-level co-occurrence: each block counts tiles of the image in a table of its own.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;
constexpr int kThreads = kBlockX * kBlockY;
constexpr int kMaxBlocks = 1056;
constexpr int kCounters = 4 * 16 * 16;

__device__ void count_pixel(int width, int height, const unsigned char* image, const unsigned char* mask, int x, int y,
                            unsigned* table) {
    const int step_x[4] = {1, 1, 0, -1}, step_y[4] = {0, 1, 1, 1};
    if (x >= width || y >= height) return;
    size_t here = (size_t)y * width + x;
    if (!mask[here]) return;
    for (int d = 0; d < 4; ++d) {
        int nx = x + step_x[d], ny = y + step_y[d];
        if (nx < 0 || nx >= width || ny >= height) continue;
        size_t there = (size_t)ny * width + nx;
        if (!mask[there]) continue;
        atomicAdd(&table[(d * 16 + image[here] / 16) * 16 + image[there] / 16], 1u);
    }
}

__global__ void count(int width, int height, const unsigned char* image, const unsigned char* mask, unsigned* pairs) {
    __shared__ unsigned table[kCounters];
    int t = threadIdx.y * kBlockX + threadIdx.x;
    for (int i = t; i < kCounters; i += kThreads) table[i] = 0;
    __syncthreads();
    int across = (width - 1) / kBlockX + 1, tiles = across * ((height - 1) / kBlockY + 1);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int x = tile % across * kBlockX + threadIdx.x, y = tile / across * kBlockY + threadIdx.y;
        count_pixel(width, height, image, mask, x, y, table);
    }
    __syncthreads();
    for (int i = t; i < kCounters; i += kThreads)
        if (table[i] > 0) atomicAdd(&pairs[i], table[i]);
}

extern "C" void glcm_texture(int width, int height, const unsigned char* image, const unsigned char* mask,
                             unsigned* pairs) {
    cudaMemsetAsync(pairs, 0, kCounters * sizeof(unsigned));
    int tiles = ((width - 1) / kBlockX + 1) * ((height - 1) / kBlockY + 1);
    int blocks = tiles < kMaxBlocks ? tiles : kMaxBlocks;
    count<<<blocks, dim3(kBlockX, kBlockY)>>>(width, height, image, mask, pairs);
}
