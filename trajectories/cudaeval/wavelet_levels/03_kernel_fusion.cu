// Reversible wavelets: rows and columns of a level in one launch, by way of shared memory. The first level reads the bytes themselves; only
// the smooth part of a level goes to scratch.
#include <cuda_runtime.h>

#include <utility>

// The difference of place 2 i + 1 of a line of n, read by `at`; beyond an end the line is mirrored.
template <class Line>
__device__ int difference(int i, int n, Line at) {
    int even = at(2 * i), right = 2 * i + 2 < n ? at(2 * i + 2) : even;
    return at(2 * i + 1) - ((even + right) >> 1);
}

// The smoothed place 2 i of a line of n and, where there is one, the difference beside it.
template <class Line>
__device__ void lift_pair(int i, int n, Line at, int& smooth, int& detail) {
    if (n == 1) {
        smooth = at(0);
        return;
    }
    bool whole = 2 * i + 1 < n;
    detail = whole ? difference(i, n, at) : 0;
    int left = i > 0 ? difference(i - 1, n, at) : detail, right = whole ? detail : left;
    smooth = at(2 * i) + ((left + right + 2) >> 2);
}

constexpr int kX = 32, kY = 8;                          // pairs of a block, across and down
constexpr int kRows = 2 * kY + 3, kColumns = 2 * kX + 3;  // places that they need: two before the first and one after the last

// One level: a block's places come to shared memory once, rows are lifted there, then columns. The part that is smooth both ways goes to
// `smooth`, the rest to its place in `out`.
template <class Place>
__global__ void lift_level(int h, int w, long long pitch, const Place* __restrict__ in, long long in_pitch, short* __restrict__ smooth,
                           long long smooth_pitch, short* __restrict__ out) {
    __shared__ short tile[kRows][kColumns + 1], low[kRows][kX], high[kRows][kX];
    int left = 2 * blockIdx.x * kX - 2, top = 2 * blockIdx.y * kY - 2, tx = threadIdx.x, ty = threadIdx.y;
    for (int k = ty * kX + tx; k < kRows * kColumns; k += kX * kY) {
        int y = top + k / kColumns, x = left + k % kColumns;
        bool inside = y >= 0 && y < h && x >= 0 && x < w;
        tile[k / kColumns][k % kColumns] = inside ? (short)in[y * in_pitch + x] : (short)0;
    }
    __syncthreads();
    int i = blockIdx.x * kX + tx, j = blockIdx.y * kY + ty, half_w = (w + 1) / 2, half_h = (h + 1) / 2;
    for (int r = ty; r < kRows; r += kY) {
        int s = 0, d = 0;
        if (i < half_w) lift_pair(i, w, [&](int k) { return (int)tile[r][k - left]; }, s, d);
        low[r][tx] = (short)s;
        high[r][tx] = (short)d;
    }
    __syncthreads();
    if (i >= half_w || j >= half_h) return;
    int s = 0, d = 0;
    lift_pair(j, h, [&](int k) { return (int)low[k - top][tx]; }, s, d);
    smooth[j * smooth_pitch + i] = (short)s;
    if (2 * j + 1 < h) out[(half_h + j) * pitch + i] = (short)d;
    if (2 * i + 1 >= w) return;
    lift_pair(j, h, [&](int k) { return (int)high[k - top][tx]; }, s, d);
    out[j * pitch + half_w + i] = (short)s;
    if (2 * j + 1 < h) out[(half_h + j) * pitch + half_w + i] = (short)d;
}

extern "C" void wavelet_levels(int height, int width, int levels, const unsigned char* image, short* coefficient) {
    if (height <= 0 || width <= 0) return;
    int h = height, w = width;
    long long pitch = (w + 1) / 2, quarter = pitch * ((h + 1) / 2);
    short* scratch = nullptr;
    cudaMalloc(&scratch, 2 * quarter * sizeof(short));
    short *now = scratch, *next = scratch + quarter;
    for (int level = 0; level < levels; ++level, h = (h + 1) / 2, w = (w + 1) / 2) {
        dim3 block(kX, kY), grid(((w + 1) / 2 + kX - 1) / kX, ((h + 1) / 2 + kY - 1) / kY);
        bool last = level + 1 == levels;
        short* smooth = last ? coefficient : next;
        long long smooth_pitch = last ? width : pitch;
        if (level == 0) lift_level<<<grid, block>>>(h, w, width, image, width, smooth, smooth_pitch, coefficient);
        else lift_level<<<grid, block>>>(h, w, width, now, pitch, smooth, smooth_pitch, coefficient);
        std::swap(now, next);
    }
    cudaFree(scratch);
}
