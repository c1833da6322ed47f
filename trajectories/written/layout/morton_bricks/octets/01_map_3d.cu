// Volume to Morton bricks: one thread per voxel, then one thread per brick for the ranges.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int interleaved(int x, int y, int z) {
    int code = 0;
    for (int bit = 0; bit < 3; ++bit)
        code |= (x >> bit & 1) << (3 * bit) | (y >> bit & 1) << (3 * bit + 1) | (z >> bit & 1) << (3 * bit + 2);
    return code;
}

__global__ void place_voxels(int depth, int height, int width, dim3 count, const uint16_t* volume, uint16_t* bricks) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= 8 * count.x || y >= 8 * count.y || z >= 8 * count.z) return;
    size_t from = ((size_t)min(z, depth - 1) * height + min(y, height - 1)) * width + min(x, width - 1);
    size_t brick = ((size_t)(z / 8) * count.y + y / 8) * count.x + x / 8;
    bricks[512 * brick + interleaved(x & 7, y & 7, z & 7)] = volume[from];
}

__global__ void find_ranges(int total, const uint16_t* bricks, uint16_t* low, uint16_t* high) {
    int brick = blockIdx.x * blockDim.x + threadIdx.x;
    if (brick >= total) return;
    unsigned int smallest = 65535, largest = 0;
    for (int k = 0; k < 512; ++k) {
        unsigned int value = bricks[512 * (size_t)brick + k];
        smallest = min(smallest, value);
        largest = max(largest, value);
    }
    low[brick] = (uint16_t)smallest;
    high[brick] = (uint16_t)largest;
}

extern "C" void morton_bricks(int depth, int height, int width, const uint16_t* volume, uint16_t* bricks, uint16_t* low,
                              uint16_t* high) {
    dim3 count((width + 7) / 8, (height + 7) / 8, (depth + 7) / 8), block(32, 4, 2);
    dim3 grid((8 * count.x - 1) / block.x + 1, (8 * count.y - 1) / block.y + 1, (8 * count.z - 1) / block.z + 1);
    place_voxels<<<grid, block>>>(depth, height, width, count, volume, bricks);
    int total = count.x * count.y * count.z;
    find_ranges<<<(total - 1) / 128 + 1, 128>>>(total, bricks, low, high);
}
