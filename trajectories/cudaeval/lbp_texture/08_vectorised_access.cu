// Patterns: the tile comes in by words where rows are whole words, and begins four pixels before the block, so that words stay words.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kCells = 8;  // side by side, of a block; a warp each

__device__ int bin_of(unsigned marks) {
    const unsigned turned = (marks << 1 | marks >> 7) & 255;
    return __popc(marks ^ turned) <= 2 ? __popc(marks) : 9;
}

// Adds a lane's counts, four bits each, up over the warp: three of them in a word of ten bits each.
__device__ void tell(unsigned long long own, int lane, int* counts) {
    int mine = 0;
#pragma unroll
    for (int w = 0; w < 4; ++w) {
        const unsigned part = (unsigned)(own >> 12 * w) & 4095;
        const unsigned sum = __reduce_add_sync(0xffffffffu, (part & 15) | (part >> 4 & 15) << 10 | (part >> 8) << 20);
        if (lane / 3 == w) mine = sum >> lane % 3 * 10 & 1023;
    }
    if (counts && lane < 10) counts[lane] = mine;
}

__global__ void count(int height, int width, const uint8_t* __restrict__ grey, int* __restrict__ counts) {
    constexpr int kWords = kCells * 4 + 2;  // of a row: four pixels before the block, its own, and four behind
    __shared__ unsigned tile[18][kWords];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, across = (width + 15) / 16, cell = blockIdx.x * kCells + warp;
    for (int i = threadIdx.x; i < 18 * kWords; i += 32 * kCells) {
        const int v = (int)blockIdx.y * 16 - 1 + i / kWords, u = (int)blockIdx.x * kCells * 16 - 4 + 4 * (i % kWords);
        unsigned word = 0;
        if (v >= 0 && v < height) {
            const uint8_t* row = grey + (size_t)v * width;
            if (width % 4 == 0 && u >= 0 && u < width)
                word = *reinterpret_cast<const unsigned*>(row + u);
            else
                for (int k = 0; k < 4; ++k)
                    if (u + k >= 0 && u + k < width) word |= (unsigned)row[u + k] << 8 * k;
        }
        tile[i / kWords][i % kWords] = word;
    }
    __syncthreads();
    unsigned long long all = 0;
    // A lane has eight pixels of one row, four at a time in the bytes of a word; bytes of a comparison are 255 or 0.
    const int r = lane / 2 + 1, left = warp * 16 + lane % 2 * 8, y = blockIdx.y * 16 + lane / 2;
#pragma unroll
    for (int k = 0; k < 8; k += 4) {
        unsigned near[3][3];  // of each of the three rows: one pixel to the left, straight, one to the right
#pragma unroll
        for (int s = 0; s < 3; ++s) {
            const unsigned *words = &tile[r - 1 + s][(left + k) / 4], before = words[0], here = words[1], behind = words[2];
            near[s][0] = __funnelshift_r(before, here, 24), near[s][1] = here, near[s][2] = __funnelshift_r(here, behind, 8);
        }
        const unsigned own = near[1][1];
        const unsigned marks = (__vcmpgeu4(near[0][0], own) & 0x01010101u) | (__vcmpgeu4(near[0][1], own) & 0x02020202u) |
                               (__vcmpgeu4(near[0][2], own) & 0x04040404u) | (__vcmpgeu4(near[1][2], own) & 0x08080808u) |
                               (__vcmpgeu4(near[2][2], own) & 0x10101010u) | (__vcmpgeu4(near[2][1], own) & 0x20202020u) |
                               (__vcmpgeu4(near[2][0], own) & 0x40404040u) | (__vcmpgeu4(near[1][0], own) & 0x80808080u);
#pragma unroll
        for (int p = 0; p < 4; ++p) {
            const int x = blockIdx.x * kCells * 16 + left + k + p;
            if (x >= 1 && y >= 1 && x + 1 < width && y + 1 < height) all += 1ull << 4 * bin_of(marks >> 8 * p & 255);
        }
    }
    tell(all, lane, cell < across ? counts + 10 * ((size_t)blockIdx.y * across + cell) : nullptr);
}

extern "C" void lbp_texture(int height, int width, const uint8_t* grey, int32_t* counts) {
    const int across = (width + 15) / 16;
    count<<<dim3((across + kCells - 1) / kCells, (height + 15) / 16), 32 * kCells>>>(height, width, grey, counts);
}
