// Polar pairs: four copies of the counters, so that fewer lanes of a warp meet at the same one.
#include <cuda_runtime.h>

#include <cstdint>

struct Galaxy {
    int16_t x, y, z, w;
};
typedef unsigned long long u64;

// 10 part / (whole + 1) in whole numbers: a quick quotient is off by one at most.
__device__ int tenths(int part, int whole) {
    const int above = 10 * part, below = whole + 1;
    int quotient = (int)__fdividef((float)above, (float)below);
    quotient -= quotient * below > above;
    return quotient + ((quotient + 1) * below <= above);
}

constexpr int kCells = 512;  // of squared distances, in a table of the first ring that may be theirs

__device__ int ring_of(int d2, int rings, const int32_t* edge) {
    int ring = 0;
    for (int step = 32; step > 0; step /= 2)
        if (ring + step < rings && edge[ring + step] <= d2) ring += step;
    return ring;
}

__device__ int bin_of(Galaxy a, Galaxy b, int rings, const int32_t* edge, const uint8_t* first, int shift) {
    const int dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, d2 = dx * dx + dy * dy + dz * dz;
    if ((a.w ^ b.w) % 7 == 0) return -1;
    if (d2 < edge[0] || d2 >= edge[rings]) return -1;
    int ring = first[d2 >> shift];
    while (edge[ring + 1] <= d2) ++ring;
    return ring * 10 + tenths(abs(dz), abs(dx) + abs(dy) + abs(dz));
}

constexpr int kCopies = 4;  // of each counter, side by side in shared memory

// Tiles of 128 x 128 pairs on and above the diagonal are numbered column by column; a block takes every so many of them.
__global__ void pairs(int galaxies, int rings, int tiles, const Galaxy* __restrict__ galaxy, const int32_t* __restrict__ edges, u64* count) {
    __shared__ int own[640 * kCopies], edge[65];
    __shared__ uint8_t first[kCells];
    __shared__ Galaxy tile[128];
    for (int k = threadIdx.x; k < 10 * rings * kCopies; k += blockDim.x) own[k] = 0;
    for (int k = threadIdx.x; k <= rings; k += blockDim.x) edge[k] = edges[k];
    __syncthreads();
    const int shift = max(0, 23 - __clz(edge[rings]));
    for (int k = threadIdx.x; k < kCells; k += blockDim.x) first[k] = (uint8_t)ring_of(k << shift, rings, edge);
    for (int t = blockIdx.x; t < tiles * (tiles + 1) / 2; t += gridDim.x) {
        int right = (int)((sqrtf(8.0f * t + 1.0f) - 1.0f) / 2.0f);
        while (right * (right + 1) / 2 > t) --right;
        while ((right + 1) * (right + 2) / 2 <= t) ++right;
        const int i = (t - right * (right + 1) / 2) * 128 + threadIdx.x, from = right * 128;
        __syncthreads();
        if (from + (int)threadIdx.x < galaxies) tile[threadIdx.x] = galaxy[from + threadIdx.x];
        __syncthreads();
        const Galaxy mine = galaxy[min(i, galaxies - 1)];
        for (int k = 0; i < galaxies && k < min(128, galaxies - from); ++k) {
            if (from + k <= i) continue;
            const int bin = bin_of(mine, tile[k], rings, edge, first, shift);
            if (bin >= 0) atomicAdd(&own[bin * kCopies + threadIdx.x % kCopies], 1);
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 10 * rings; k += blockDim.x) {
        int sum = 0;
        for (int copy = 0; copy < kCopies; ++copy) sum += own[k * kCopies + copy];
        if (sum) atomicAdd(&count[k], (u64)sum);
    }
}

extern "C" void polar_pairs(int galaxies, int rings, const Galaxy* galaxy, const int32_t* edges, int64_t* count) {
    cudaMemsetAsync(count, 0, sizeof(int64_t) * rings * 10);
    const int tiles = (galaxies + 127) / 128;
    pairs<<<min(tiles * (tiles + 1) / 2, 2048), 128>>>(galaxies, rings, tiles, galaxy, edges, reinterpret_cast<u64*>(count));
}
