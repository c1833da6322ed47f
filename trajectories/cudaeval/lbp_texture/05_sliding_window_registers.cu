// Patterns: a warp has a cell and a lane eight pixels in a row, whose nine values move on in registers: three reads a pixel in place of nine.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kCells = 8;  // side by side, of a block; a warp each

__device__ int bin_of(unsigned marks) {
    const unsigned turned = (marks << 1 | marks >> 7) & 255;
    return __popc(marks ^ turned) <= 2 ? __popc(marks) : 9;
}

__global__ void count(int height, int width, const uint8_t* __restrict__ grey, int* __restrict__ counts) {
    __shared__ int own_counts[kCells][10];
    __shared__ uint8_t tile[18][kCells * 16 + 8];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, across = (width + 15) / 16, cell = blockIdx.x * kCells + warp;
    for (int i = threadIdx.x; i < 18 * (kCells * 16 + 2); i += 32 * kCells) {
        const int r = i / (kCells * 16 + 2), c = i % (kCells * 16 + 2), v = (int)blockIdx.y * 16 - 1 + r, u = (int)blockIdx.x * kCells * 16 - 1 + c;
        tile[r][c] = v >= 0 && v < height && u >= 0 && u < width ? grey[v * width + u] : 0;
    }
    if (lane < 10) own_counts[warp][lane] = 0;
    __syncthreads();
    // A lane has eight pixels of one row; of the three rows' values, each is read once.
    const int r = lane / 2 + 1, left = warp * 16 + lane % 2 * 8, y = blockIdx.y * 16 + lane / 2;
    int above[3], here[3], below[3];
#pragma unroll
    for (int k = 0; k < 2; ++k) above[k + 1] = tile[r - 1][left + k], here[k + 1] = tile[r][left + k], below[k + 1] = tile[r + 1][left + k];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
#pragma unroll
        for (int s = 0; s < 2; ++s) above[s] = above[s + 1], here[s] = here[s + 1], below[s] = below[s + 1];
        above[2] = tile[r - 1][left + k + 2], here[2] = tile[r][left + k + 2], below[2] = tile[r + 1][left + k + 2];
        const int own = here[1], x = blockIdx.x * kCells * 16 + left + k;
        const unsigned marks = (above[0] >= own) | (above[1] >= own) << 1 | (above[2] >= own) << 2 | (here[2] >= own) << 3 | (below[2] >= own) << 4 |
                               (below[1] >= own) << 5 | (below[0] >= own) << 6 | (here[0] >= own) << 7;
        if (x >= 1 && y >= 1 && x + 1 < width && y + 1 < height) atomicAdd(&own_counts[warp][bin_of(marks)], 1);
    }
    __syncwarp();
    if (lane < 10 && cell < across) counts[10 * ((size_t)blockIdx.y * across + cell) + lane] = own_counts[warp][lane];
}

extern "C" void lbp_texture(int height, int width, const uint8_t* grey, int32_t* counts) {
    const int across = (width + 15) / 16;
    count<<<dim3((across + kCells - 1) / kCells, (height + 15) / 16), 32 * kCells>>>(height, width, grey, counts);
}
