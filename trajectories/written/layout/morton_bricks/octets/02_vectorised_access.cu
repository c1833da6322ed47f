// Volume to Morton bricks: one thread per 2 x 2 x 2 cube, stored as one vector; ranges by a second kernel.
#include <cuda_runtime.h>

#include <cstdint>

struct Shape {
    int depth, height, width;
    int across, down;   // bricks along x and y
    bool aligned;       // pairs of voxels can be loaded as words
};

// Bits b, b + 3 of an octet's number as a coordinate of 0 to 3, in units of two voxels.
__device__ int pair_coordinate(int octet, int b) { return (octet >> b & 1) | (octet >> (b + 3) & 1) << 1; }

// Two neighbouring voxels of a row, the first in the lower half; clamped to the volume.
__device__ uint32_t voxel_pair(const Shape& shape, const uint16_t* volume, int x, int y, int z) {
    y = min(y, shape.height - 1);
    z = min(z, shape.depth - 1);
    const uint16_t* row = volume + ((size_t)z * shape.height + y) * shape.width;
    if (shape.aligned && x + 1 < shape.width) return *reinterpret_cast<const uint32_t*>(row + x);
    return row[min(x, shape.width - 1)] | (uint32_t)row[min(x + 1, shape.width - 1)] << 16;
}

// The eight voxels of one octet of a brick in Morton order: x fastest, then y, then z.
__device__ uint4 load_octet(const Shape& shape, const uint16_t* volume, int brick, int octet) {
    const int x = 8 * (brick % shape.across) + 2 * pair_coordinate(octet, 0);
    const int y = 8 * (brick / shape.across % shape.down) + 2 * pair_coordinate(octet, 1);
    const int z = 8 * (brick / (shape.across * shape.down)) + 2 * pair_coordinate(octet, 2);
    return make_uint4(voxel_pair(shape, volume, x, y, z), voxel_pair(shape, volume, x, y + 1, z),
                      voxel_pair(shape, volume, x, y, z + 1), voxel_pair(shape, volume, x, y + 1, z + 1));
}

__global__ void place_octets(int total, Shape shape, const uint16_t* volume, uint16_t* bricks) {
    const int brick = blockIdx.x * blockDim.y + threadIdx.y, octet = threadIdx.x;  // 64 octets a brick
    if (brick >= total) return;
    const uint4 voxels = load_octet(shape, volume, brick, octet);
    reinterpret_cast<uint4*>(bricks)[64 * (size_t)brick + octet] = voxels;
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
    Shape shape{depth, height, width, (width + 7) / 8, (height + 7) / 8, false};
    shape.aligned = width % 2 == 0 && reinterpret_cast<uintptr_t>(volume) % 4 == 0;
    int total = shape.across * shape.down * ((depth + 7) / 8);
    place_octets<<<(total - 1) / 4 + 1, dim3(64, 4)>>>(total, shape, volume, bricks);
    find_ranges<<<(total - 1) / 128 + 1, 128>>>(total, bricks, low, high);
}
