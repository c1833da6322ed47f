// Corner cells: slopes are computed while the tile is filled; no array of slopes is left.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kCell = 16;
constexpr int kWindow = 2;
constexpr int kAcross = 32, kDown = 8;

__device__ short2 slope_at(int height, int width, const uint8_t* pixel, int y, int x) {
    const size_t row = (size_t)y * width;
    const int left = pixel[row + max(x - 1, 0)], right = pixel[row + min(x + 1, width - 1)];
    const int above = pixel[(size_t)max(y - 1, 0) * width + x], below = pixel[(size_t)min(y + 1, height - 1) * width + x];
    return make_short2(right - left, below - above);
}

__device__ int64_t harris(int64_t xx, int64_t xy, int64_t yy) { return xx * yy - xy * xy - ((xx + yy) * (xx + yy) >> 4); }

__global__ void measure(int height, int width, const uint8_t* pixel, int64_t* strength) {
    __shared__ short2 tile[kDown + 2 * kWindow][kAcross + 2 * kWindow];
    const int left = blockIdx.x * kAcross - kWindow, top = blockIdx.y * kDown - kWindow;
    for (int v = threadIdx.y; v < kDown + 2 * kWindow; v += kDown) {
        for (int u = threadIdx.x; u < kAcross + 2 * kWindow; u += kAcross) {
            const int y = top + v, x = left + u;
            const bool inside = y >= 0 && x >= 0 && y < height && x < width;
            tile[v][u] = inside ? slope_at(height, width, pixel, y, x) : make_short2(0, 0);
        }
    }
    __syncthreads();
    const int x = left + kWindow + threadIdx.x, y = top + kWindow + threadIdx.y;
    if (x >= width || y >= height) return;
    int a = 0, b = 0, c = 0;
#pragma unroll
    for (int v = 0; v <= 2 * kWindow; ++v) {
#pragma unroll
        for (int u = 0; u <= 2 * kWindow; ++u) {
            const short2 s = tile[threadIdx.y + v][threadIdx.x + u];
            a += s.x * s.x;
            b += s.x * s.y;
            c += s.y * s.y;
        }
    }
    strength[(size_t)y * width + x] = harris(a, b, c);
}

__device__ bool is_peak(int height, int width, const int64_t* strength, int y, int x) {
    const int64_t own = strength[(size_t)y * width + x];
    for (int v = y - 1; v <= y + 1; ++v) {
        for (int u = x - 1; u <= x + 1; ++u) {
            if (v < 0 || u < 0 || v >= height || u >= width) continue;
            const bool before = v < y || (v == y && u < x);
            const int64_t other = strength[(size_t)v * width + u];
            if (other > own || (before && other == own)) return false;
        }
    }
    return true;
}

// Strongest corner of a block's cell, the first of equals, and how many there are.
__device__ void reduce_cell(int64_t own, int place, int32_t* corners, int32_t* best) {
    __shared__ int64_t strongest[kCell * kCell];
    __shared__ int where[kCell * kCell], count[kCell * kCell];
    const int i = threadIdx.y * kCell + threadIdx.x;
    strongest[i] = own;
    where[i] = place;
    count[i] = place >= 0;
    for (int half = kCell * kCell / 2; half > 0; half /= 2) {
        __syncthreads();
        if (i >= half) continue;
        count[i] += count[i + half];
        const bool better = strongest[i + half] > strongest[i] || (strongest[i + half] == strongest[i] && where[i + half] < where[i]);
        if (where[i + half] >= 0 && (where[i] < 0 || better)) {
            strongest[i] = strongest[i + half];
            where[i] = where[i + half];
        }
    }
    if (i == 0) {
        const int cell = blockIdx.y * gridDim.x + blockIdx.x;
        corners[cell] = count[0];
        best[cell] = where[0];
    }
}

__global__ void find_best(int height, int width, int64_t threshold, const int64_t* strength, int32_t* corners, int32_t* best) {
    const int x = blockIdx.x * kCell + threadIdx.x, y = blockIdx.y * kCell + threadIdx.y;
    int64_t own = threshold;
    int place = -1;
    if (x < width && y < height) {
        own = strength[(size_t)y * width + x];
        if (own > threshold && is_peak(height, width, strength, y, x)) place = y * width + x;
    }
    reduce_cell(own, place, corners, best);
}

extern "C" void corner_cells(int height, int width, int64_t threshold, const uint8_t* pixel, int32_t* corners, int32_t* best) {
    const size_t pixels = (size_t)height * width;
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    int64_t* strength = nullptr;
    cudaMalloc(&strength, pixels * 8);
    measure<<<grid, block>>>(height, width, pixel, strength);
    const dim3 cell(kCell, kCell), cells((width - 1) / kCell + 1, (height - 1) / kCell + 1);
    find_best<<<cells, cell>>>(height, width, threshold, strength, corners, best);
    cudaFree(strength);
}
