// Polar pairs: the quotient of whole numbers is a quick one of floats, put right by two products.
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

__device__ int bin_of(Galaxy a, Galaxy b, int rings, const int32_t* edges) {
    const int dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, d2 = dx * dx + dy * dy + dz * dz;
    if ((a.w ^ b.w) % 7 == 0) return -1;
    if (d2 < edges[0] || d2 >= edges[rings]) return -1;
    int ring = 0;
    for (int step = 32; step > 0; step /= 2)
        if (ring + step < rings && edges[ring + step] <= d2) ring += step;
    return ring * 10 + tenths(abs(dz), abs(dx) + abs(dy) + abs(dz));
}

__global__ void pairs(int galaxies, int rings, const Galaxy* galaxy, const int32_t* edges, u64* count) {
    __shared__ int own[640], edge[65];
    for (int k = threadIdx.x; k < 10 * rings; k += blockDim.x) own[k] = 0;
    for (int k = threadIdx.x; k <= rings; k += blockDim.x) edge[k] = edges[k];
    __syncthreads();
    if (blockIdx.y < blockIdx.x) return;
    __shared__ Galaxy tile[128];
    const int i = blockIdx.x * 128 + threadIdx.x, from = blockIdx.y * 128;
    if (from + (int)threadIdx.x < galaxies) tile[threadIdx.x] = galaxy[from + threadIdx.x];
    __syncthreads();
    const Galaxy mine = galaxy[min(i, galaxies - 1)];
    for (int k = 0; i < galaxies && k < min(128, galaxies - from); ++k) {
        if (from + k <= i) continue;
        const int bin = bin_of(mine, tile[k], rings, edge);
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
