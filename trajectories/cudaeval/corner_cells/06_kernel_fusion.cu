// Corner cells: a block takes a cell from pixels to its strongest corner in shared memory, with rims for the later stages.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kCell = 16;
constexpr int kWindow = 2;

__device__ short2 slope_at(int height, int width, const uint8_t* pixel, int y, int x) {
    const size_t row = (size_t)y * width;
    const int left = pixel[row + max(x - 1, 0)], right = pixel[row + min(x + 1, width - 1)];
    const int above = pixel[(size_t)max(y - 1, 0) * width + x], below = pixel[(size_t)min(y + 1, height - 1) * width + x];
    return make_short2(right - left, below - above);
}

__device__ int64_t harris(int64_t xx, int64_t xy, int64_t yy) { return xx * yy - xy * xy - ((xx + yy) * (xx + yy) >> 4); }

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

constexpr int kStrong = kCell + 2, kSlopes = kStrong + 2 * kWindow;

__global__ void __launch_bounds__(kCell* kCell)
    find_corners(int height, int width, int64_t threshold, const uint8_t* pixel, int32_t* corners, int32_t* best) {
    __shared__ short2 slope[kSlopes][kSlopes];
    __shared__ int64_t strength[kStrong][kStrong];
    const int left = blockIdx.x * kCell, top = blockIdx.y * kCell, own = threadIdx.y * kCell + threadIdx.x;
    for (int i = own; i < kSlopes * kSlopes; i += kCell * kCell) {
        const int y = top - 1 - kWindow + i / kSlopes, x = left - 1 - kWindow + i % kSlopes;
        const bool inside = y >= 0 && x >= 0 && y < height && x < width;
        slope[i / kSlopes][i % kSlopes] = inside ? slope_at(height, width, pixel, y, x) : make_short2(0, 0);
    }
    __syncthreads();
    for (int i = own; i < kStrong * kStrong; i += kCell * kCell) {
        const int v = i / kStrong, u = i % kStrong, y = top - 1 + v, x = left - 1 + u;
        int a = 0, b = 0, c = 0;
#pragma unroll
        for (int k = 0; k < (2 * kWindow + 1) * (2 * kWindow + 1); ++k) {
            const short2 s = slope[v + k / (2 * kWindow + 1)][u + k % (2 * kWindow + 1)];
            a += s.x * s.x;
            b += s.x * s.y;
            c += s.y * s.y;
        }
        const bool inside = y >= 0 && x >= 0 && y < height && x < width;
        strength[v][u] = inside ? harris(a, b, c) : INT64_MIN;
    }
    __syncthreads();
    const int x = left + threadIdx.x, y = top + threadIdx.y;
    const int64_t here = strength[threadIdx.y + 1][threadIdx.x + 1];
    bool peak = x < width && y < height && here > threshold;
    for (int i = 0; i < 9 && peak; ++i) {
        const int64_t other = strength[threadIdx.y + i / 3][threadIdx.x + i % 3];
        peak = other < here || (other == here && i >= 4);
    }
    reduce_cell(here, peak ? y * width + x : -1, corners, best);
}

extern "C" void corner_cells(int height, int width, int64_t threshold, const uint8_t* pixel, int32_t* corners, int32_t* best) {
    const dim3 cell(kCell, kCell), cells((width - 1) / kCell + 1, (height - 1) / kCell + 1);
    find_corners<<<cells, cell>>>(height, width, threshold, pixel, corners, best);
}
