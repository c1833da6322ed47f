// Voxel carving: one voxel a thread, an atomic for each that stays.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int along(const int32_t* row, int x, int y, int z, int width) {
    return ((row[0] * x + row[1] * y + row[2] * z + row[3] * 4) >> 6) + width / 2;
}

__global__ void carve(int n, int cameras, int width, const int32_t* m, const uint8_t* silhouette, uint8_t* solid, int32_t* filled) {
    const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y, k = blockIdx.z;
    if (i >= n || j >= n) return;
    bool stays = true;
    for (int c = 0; c < cameras && stays; ++c) {
        const int u = along(m + 8 * c, 2 * i + 1 - n, 2 * j + 1 - n, 2 * k + 1 - n, width);
        const int v = along(m + 8 * c + 4, 2 * i + 1 - n, 2 * j + 1 - n, 2 * k + 1 - n, width);
        if (u >= 0 && v >= 0 && u < width && v < width) stays = silhouette[((size_t)c * width + v) * width + u] != 0;
    }
    solid[((size_t)k * n + j) * n + i] = stays;
    if (stays) atomicAdd(filled, 1);
}

extern "C" void carve_voxels(int n, int cameras, int width, const int32_t* m, const uint8_t* silhouette, uint8_t* solid, int32_t* filled) {
    cudaMemsetAsync(filled, 0, sizeof(int32_t));
    carve<<<dim3((n + 31) / 32, (n + 7) / 8, n), dim3(32, 8)>>>(n, cameras, width, m, silhouette, solid, filled);
}
