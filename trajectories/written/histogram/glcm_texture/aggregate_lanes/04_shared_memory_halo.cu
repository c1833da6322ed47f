// Grey-level co-occurrence: tables of blocks, equal pairs of a warp added at once. All lanes stay for the matches.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;
constexpr int kThreads = kBlockX * kBlockY;
constexpr int kMaxBlocks = 1056;
constexpr int kCounters = 4 * 16 * 16;

constexpr int kWide = kBlockX + 2, kHigh = kBlockY + 1;
constexpr unsigned char kNone = 255;

__device__ void count_pixel(unsigned char (&tile)[kHigh][kWide], unsigned* table) {
    const int step_x[4] = {1, 1, 0, -1}, step_y[4] = {0, 1, 1, 1};
    int tx = threadIdx.x + 1, ty = threadIdx.y;
    int here = tile[ty][tx];
    for (int d = 0; d < 4; ++d) {
        int there = tile[ty + step_y[d]][tx + step_x[d]];
        int counter = here == kNone || there == kNone ? -1 : (d * 16 + here) * 16 + there;
        unsigned same = __match_any_sync(0xffffffffu, counter);
        bool leader = __ffs(same) - 1 == (int)threadIdx.x;  // a row of the block is a warp
        if (leader && counter >= 0) atomicAdd(&table[counter], (unsigned)__popc(same));
    }
}

__global__ void count(int width, int height, const unsigned char* image, const unsigned char* mask, unsigned* pairs) {
    __shared__ unsigned table[kCounters];
    __shared__ unsigned char levels[kHigh][kWide];
    int t = threadIdx.y * kBlockX + threadIdx.x;
    for (int i = t; i < kCounters; i += kThreads) table[i] = 0;
    __syncthreads();
    int across = (width - 1) / kBlockX + 1, tiles = across * ((height - 1) / kBlockY + 1);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int x0 = tile % across * kBlockX - 1, y0 = tile / across * kBlockY;
        for (int i = t; i < kWide * kHigh; i += kThreads) {
            int x = x0 + i % kWide, y = y0 + i / kWide;
            size_t at = (size_t)y * width + x;
            bool counts = x >= 0 && x < width && y < height && mask[at];
            levels[i / kWide][i % kWide] = counts ? image[at] / 16 : kNone;
        }
        __syncthreads();
        count_pixel(levels, table);
        __syncthreads();  // before the next tile is loaded over this one
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
