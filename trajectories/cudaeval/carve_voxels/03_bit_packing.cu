// Voxel carving: silhouettes become bits first, 32 pixels a word, so that they stay in the caches.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int along(const int32_t* row, int x, int y, int z, int width) {
    return ((row[0] * x + row[1] * y + row[2] * z + row[3] * 4) >> 6) + width / 2;
}

__global__ void pack(size_t pixels, const uint8_t* silhouette, uint32_t* bits) {
    const size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t word = __ballot_sync(0xffffffffu, at < pixels && silhouette[at] != 0);
    if (threadIdx.x % 32 == 0 && at < pixels) bits[at / 32] = word;
}

__global__ void carve(int n, int cameras, int width, const int32_t* __restrict__ m, const uint32_t* __restrict__ bits, uint8_t* __restrict__ solid,
                      int32_t* filled) {
    const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y, k = blockIdx.z;
    const bool inside = i < n && j < n;
    bool stays = inside;
    for (int c = 0; c < cameras && stays; ++c) {
        const int u = along(m + 8 * c, 2 * i + 1 - n, 2 * j + 1 - n, 2 * k + 1 - n, width);
        const int v = along(m + 8 * c + 4, 2 * i + 1 - n, 2 * j + 1 - n, 2 * k + 1 - n, width);
        if (u >= 0 && v >= 0 && u < width && v < width) {
            const size_t at = ((size_t)c * width + v) * width + u;
            stays = bits[at / 32] >> at % 32 & 1;
        }
    }
    if (inside) solid[((size_t)k * n + j) * n + i] = stays;
    const int count = __syncthreads_count(stays);
    if (threadIdx.x == 0 && threadIdx.y == 0 && count) atomicAdd(filled, count);
}

extern "C" void carve_voxels(int n, int cameras, int width, const int32_t* m, const uint8_t* silhouette, uint8_t* solid, int32_t* filled) {
    cudaMemsetAsync(filled, 0, sizeof(int32_t));
    const size_t pixels = (size_t)cameras * width * width;
    uint32_t* bits = nullptr;
    cudaMallocAsync(&bits, sizeof(uint32_t) * ((pixels + 31) / 32), 0);
    pack<<<(unsigned)((pixels + 255) / 256), 256>>>(pixels, silhouette, bits);
    carve<<<dim3((n + 31) / 32, (n + 7) / 8, n), dim3(32, 8)>>>(n, cameras, width, m, bits, solid, filled);
    cudaFreeAsync(bits, 0);
}
