// First voxel on a ray: 32 voxels of a row become one word first, so that the volume fits the L2 cache.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

// Bit x % 32 of bits[z][y][x / 32]: voxel (z, y, x); a warp makes one word.
__global__ void pack(int size, int words, const unsigned char* voxel, unsigned int* bits) {
    const size_t word = (size_t)blockIdx.x * (kThreads / 32) + threadIdx.x / 32;
    if (word >= (size_t)size * size * words) return;
    const size_t line = word / words;
    const int x = (int)(word % words) * 32 + threadIdx.x % 32;
    const unsigned int made = __ballot_sync(~0u, x < size && voxel[line * size + x] != 0);
    if (threadIdx.x % 32 == 0) bits[word] = made;
}

__global__ void cast(int size, int words, int rays, const unsigned int* bits, const int* column, const int* row, const signed char* slope_x,
                     const signed char* slope_y, int* layer) {
    const int r = blockIdx.x * kThreads + threadIdx.x;
    if (r >= rays) return;
    const int x0 = column[r], y0 = row[r], dx = slope_x[r], dy = slope_y[r];
    int found = -1;
    for (int z = 0; z < size; ++z) {
        const int x = x0 + (dx * z >> 6), y = y0 + (dy * z >> 6);
        if (x < 0 || x >= size || y < 0 || y >= size) break;
        if (bits[(z * size + y) * words + x / 32] >> (x % 32) & 1) {
            found = z;
            break;
        }
    }
    layer[r] = found;
}

extern "C" void first_voxel(int size, int rays, const unsigned char* voxel, const int* column, const int* row, const signed char* slope_x,
                            const signed char* slope_y, int* layer) {
    const int words = (size - 1) / 32 + 1;
    const size_t all = (size_t)size * size * words;
    unsigned int* bits = nullptr;
    cudaMalloc(&bits, all * sizeof(int));
    pack<<<(int)((all - 1) / (kThreads / 32) + 1), kThreads>>>(size, words, voxel, bits);
    cast<<<(rays - 1) / kThreads + 1, kThreads>>>(size, words, rays, bits, column, row, slope_x, slope_y, layer);
    cudaFree(bits);
}
