// Grey-level co-occurrence: threads walk down columns, two warps share a table.
#include <cuda_runtime.h>

constexpr int kThreads = 256;  // columns of a tile
constexpr int kRows = 32;      // pixels of a column
constexpr int kMaxBlocks = 1056;
constexpr int kCounters = 4 * 16 * 16;
constexpr int kCopies = kThreads / 64;  // tables of a block, each for two warps
constexpr int kPitch = kCounters + 1;

struct Image {
    int width, height;
    const unsigned char *pixels, *mask;

    // The grey level, or -1 outside of the image and the mask.
    __device__ int level(int x, int y) const {
        if (x < 0 || x >= width || y >= height) return -1;
        size_t i = (size_t)y * width + x;
        return mask[i] ? pixels[i] / 16 : -1;
    }
};

__device__ void add_pair(unsigned* table, int direction, int a, int b) {
    if (b >= 0) atomicAdd(&table[(direction * 16 + a) * 16 + b], 1u);
}

__global__ void count(Image image, unsigned* pairs) {
    __shared__ unsigned tables[kCopies * kPitch];
    for (int i = threadIdx.x; i < kCopies * kPitch; i += kThreads) tables[i] = 0;
    unsigned* table = tables + threadIdx.x / 64 * kPitch;
    __syncthreads();
    int lane = threadIdx.x % 32;
    int across = (image.width - 1) / kThreads + 1, tiles = across * ((image.height - 1) / kRows + 1);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int x = tile % across * kThreads + threadIdx.x, y = tile / across * kRows;
        int here = image.level(x, y), right = image.level(x + 1, y), coming = image.level(x, y + 1);
        for (int end = min(y + kRows, image.height); y < end; ++y) {
            int below = coming;
            coming = image.level(x, y + 2);
            int below_left = __shfl_up_sync(0xffffffffu, below, 1);
            int below_right = __shfl_down_sync(0xffffffffu, below, 1);
            if (lane == 0) below_left = image.level(x - 1, y + 1);
            if (lane == 31) below_right = image.level(x + 1, y + 1);
            if (here >= 0) {
                add_pair(table, 0, here, right);
                add_pair(table, 1, here, below_right);
                add_pair(table, 2, here, below);
                add_pair(table, 3, here, below_left);
            }
            here = below;
            right = below_right;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < kCounters; i += kThreads) {
        unsigned sum = 0;
        for (int copy = 0; copy < kCopies; ++copy) sum += tables[copy * kPitch + i];
        if (sum > 0) atomicAdd(&pairs[i], sum);
    }
}

extern "C" void glcm_texture(int width, int height, const unsigned char* image, const unsigned char* mask,
                             unsigned* pairs) {
    cudaMemsetAsync(pairs, 0, kCounters * sizeof(unsigned));
    int tiles = ((width - 1) / kThreads + 1) * ((height - 1) / kRows + 1);
    int blocks = tiles < kMaxBlocks ? tiles : kMaxBlocks;
    count<<<blocks, kThreads>>>(Image{width, height, image, mask}, pairs);
}
