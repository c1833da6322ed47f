// Adaptive equalisation: the four weights of a pixel are multiplied beforehand and applied by two dot products of bytes and half words.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kTile = 64;
constexpr int kLevels = 256;
constexpr int kThreads = 256;

// The sum of the values of the threads up to this one; *total gets that of all.
__device__ int scan_block(int value, int* total) {
    __shared__ int warp_sum[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int step = 1; step < 32; step *= 2) {
        const int before = __shfl_up_sync(~0u, value, step);
        if (lane >= step) value += before;
    }
    if (lane == 31) warp_sum[warp] = value;
    __syncthreads();
    int all = 0;
    for (int w = 0; w < kThreads / 32; ++w) {
        if (w < warp) value += warp_sum[w];
        all += warp_sum[w];
    }
    *total = all;
    __syncthreads();
    return value;
}

template <bool kWords>
__global__ void make_maps(int height, int width, int clip, const uint8_t* pixel, uint8_t* maps, int columns) {
    __shared__ int counted[kLevels];
    const int tile = blockIdx.x;
    const int top = tile / columns * kTile, left = tile % columns * kTile;
    const int bottom = min(top + kTile, height), right = min(left + kTile, width);
    counted[threadIdx.x] = 0;
    __syncthreads();
    if constexpr (kWords) {
        for (int i = threadIdx.x; i < kTile * kTile / 4; i += kThreads) {
            const int y = top + i / (kTile / 4), x = left + i % (kTile / 4) * 4;
            if (y >= bottom || x >= right) continue;
            const unsigned int four = *(const unsigned int*)(pixel + (size_t)y * width + x);
#pragma unroll
            for (int k = 0; k < 4; ++k) atomicAdd(&counted[four >> (8 * k) & 255], 1);
        }
    } else {
        for (int i = threadIdx.x; i < kTile * kTile; i += kThreads) {
            const int y = top + i / kTile, x = left + i % kTile;
            if (y < bottom && x < right) atomicAdd(&counted[pixel[(size_t)y * width + x]], 1);
        }
    }
    __syncthreads();
    const int area = (bottom - top) * (right - left), limit = max(1, clip * area / kLevels);
    const int level = threadIdx.x, count = counted[level];
    int last;
    scan_block(max(count - limit, 0), &last);
    const int excess = last;
    const int sum = scan_block(min(count, limit) + excess / kLevels + (level < excess % kLevels), &last);
    maps[(size_t)tile * kLevels + level] = 255 * sum / area;
}

// A block maps the 64 x 64 pixels between four centres of tiles, those from 32 pixels before tile (blockIdx.y, blockIdx.x).
template <int kEach>
__global__ void apply(int height, int width, const uint8_t* pixel, const uint8_t* maps, int rows, int columns, uint8_t* out) {
    __shared__ unsigned int corners[kLevels];
    const int r0 = max((int)blockIdx.y - 1, 0), r1 = min((int)blockIdx.y, rows - 1);
    const int c0 = max((int)blockIdx.x - 1, 0), c1 = min((int)blockIdx.x, columns - 1);
    const uint8_t* level = maps + threadIdx.x;
    corners[threadIdx.x] = level[(r0 * columns + c0) * kLevels] | level[(r0 * columns + c1) * kLevels] << 8 |
                           level[(r1 * columns + c0) * kLevels] << 16 | (unsigned int)level[(r1 * columns + c1) * kLevels] << 24;
    __syncthreads();
    const int top = (int)blockIdx.y * kTile - kTile / 2, left = (int)blockIdx.x * kTile - kTile / 2;
    for (int i = threadIdx.x; i < kTile * kTile / kEach; i += kThreads) {
        const int row = i / (kTile / kEach), column = i % (kTile / kEach) * kEach, y = top + row, x = left + column;
        if (y < 0 || x < 0 || y >= height || x >= width) continue;
        const size_t at = (size_t)y * width + x;
        const unsigned int word = kEach == 4 ? *(const unsigned int*)(pixel + at) : pixel[at];
        const unsigned int v = 2 * row + 1;
        unsigned int mapped = 0;
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
            const unsigned int m = corners[word >> (8 * k) & 255];
            // Both horizontal weights in one word; their products with v stay below 2^14 and do not mix.
            const unsigned int pair = 128 + (2 * (column + k) + 1) * 0xffffu;
            const unsigned int sum = __dp2a_hi(pair * v, m, __dp2a_lo(pair * (128 - v), m, 8192u));
            mapped |= (sum >> 14) << (8 * k);
        }
        if (kEach == 4)
            *(unsigned int*)(out + at) = mapped;
        else
            out[at] = mapped;
    }
}

extern "C" void clahe_tiles(int height, int width, int clip, const uint8_t* pixel, uint8_t* out) {
    const int rows = (height - 1) / kTile + 1, columns = (width - 1) / kTile + 1, tiles = rows * columns;
    uint8_t* maps = nullptr;
    cudaMalloc(&maps, (size_t)tiles * kLevels);
    const bool words = width % 4 == 0 && (size_t)pixel % 4 == 0 && (size_t)out % 4 == 0;
    if (words)
        make_maps<true><<<tiles, kThreads>>>(height, width, clip, pixel, maps, columns);
    else
        make_maps<false><<<tiles, kThreads>>>(height, width, clip, pixel, maps, columns);
    const dim3 cells((width + kTile / 2 - 1) / kTile + 1, (height + kTile / 2 - 1) / kTile + 1);
    if (words)
        apply<4><<<cells, kThreads>>>(height, width, pixel, maps, rows, columns, out);
    else
        apply<1><<<cells, kThreads>>>(height, width, pixel, maps, rows, columns, out);
    cudaFree(maps);
}
