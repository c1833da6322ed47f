// Polar pairs: a table of 512 stretches of squared distances says where to look for the ring, which is most often there or one further.
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

__global__ void pairs(int galaxies, int rings, const Galaxy* galaxy, const int32_t* edges, u64* count) {
    __shared__ int own[640], edge[65];
    __shared__ uint8_t first[kCells];
    for (int k = threadIdx.x; k < 10 * rings; k += blockDim.x) own[k] = 0;
    for (int k = threadIdx.x; k <= rings; k += blockDim.x) edge[k] = edges[k];
    __syncthreads();
    if (blockIdx.y < blockIdx.x) return;
    const int shift = max(0, 23 - __clz(edge[rings]));  // the last edge falls into the table's upper half
    for (int k = threadIdx.x; k < kCells; k += blockDim.x) first[k] = (uint8_t)ring_of(k << shift, rings, edge);
    __shared__ Galaxy tile[128];
    const int i = blockIdx.x * 128 + threadIdx.x, from = blockIdx.y * 128;
    if (from + (int)threadIdx.x < galaxies) tile[threadIdx.x] = galaxy[from + threadIdx.x];
    __syncthreads();
    const Galaxy mine = galaxy[min(i, galaxies - 1)];
    for (int k = 0; i < galaxies && k < min(128, galaxies - from); ++k) {
        if (from + k <= i) continue;
        const int bin = bin_of(mine, tile[k], rings, edge, first, shift);
        if (bin >= 0) atomicAdd(&own[bin], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 10 * rings; k += blockDim.x)
        if (own[k]) atomicAdd(&count[k], (u64)own[k]);
}

extern "C" void polar_pairs(int galaxies, int rings, const Galaxy* galaxy, const int32_t* edges, int64_t* count) {
    cudaMemsetAsync(count, 0, sizeof(int64_t) * rings * 10);
    const int tiles = (galaxies + 127) / 128;
    pairs<<<dim3(tiles, tiles), 128>>>(galaxies, rings, galaxy, edges, reinterpret_cast<u64*>(count));
}
