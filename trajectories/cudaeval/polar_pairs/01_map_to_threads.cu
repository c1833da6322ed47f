// Polar pairs: one galaxy a thread over all later ones, atomics in global memory.
#include <cuda_runtime.h>

#include <cstdint>

struct Galaxy {
    int16_t x, y, z, w;
};
typedef unsigned long long u64;

__device__ int bin_of(Galaxy a, Galaxy b, int rings, const int32_t* edges) {
    const int dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, d2 = dx * dx + dy * dy + dz * dz;
    if ((a.w ^ b.w) % 7 == 0) return -1;
    int ring = -1;
    while (ring < rings && edges[ring + 1] <= d2) ++ring;
    if (ring < 0 || ring >= rings) return -1;
    return ring * 10 + 10 * abs(dz) / (abs(dx) + abs(dy) + abs(dz) + 1);
}

__global__ void pairs(int galaxies, int rings, const Galaxy* galaxy, const int32_t* edges, u64* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= galaxies) return;
    for (int j = i + 1; j < galaxies; ++j) {
        const int bin = bin_of(galaxy[i], galaxy[j], rings, edges);
        if (bin >= 0) atomicAdd(&count[bin], 1ull);
    }
}

extern "C" void polar_pairs(int galaxies, int rings, const Galaxy* galaxy, const int32_t* edges, int64_t* count) {
    cudaMemsetAsync(count, 0, sizeof(int64_t) * rings * 10);
    pairs<<<(galaxies + 127) / 128, 128>>>(galaxies, rings, galaxy, edges, reinterpret_cast<u64*>(count));
}
