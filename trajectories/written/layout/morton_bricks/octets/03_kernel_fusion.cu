// Volume to Morton bricks: one warp per brick, two cubes of eight voxels a lane, range from the registers.
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

__device__ uint32_t packed_min(uint4 v) { return __vminu2(__vminu2(v.x, v.y), __vminu2(v.z, v.w)); }
__device__ uint32_t packed_max(uint4 v) { return __vmaxu2(__vmaxu2(v.x, v.y), __vmaxu2(v.z, v.w)); }

__global__ void make_bricks(int total, Shape shape, const uint16_t* volume, uint16_t* bricks, uint16_t* low,
                            uint16_t* high) {
    const int brick = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (brick >= total) return;  // the whole warp leaves
    const uint4 first = load_octet(shape, volume, brick, lane), second = load_octet(shape, volume, brick, lane + 32);
    uint4* out = reinterpret_cast<uint4*>(bricks) + 64 * (size_t)brick;
    out[lane] = first;
    out[lane + 32] = second;
    const uint32_t smallest = __vminu2(packed_min(first), packed_min(second));
    const uint32_t largest = __vmaxu2(packed_max(first), packed_max(second));
    const unsigned int least = __reduce_min_sync(0xFFFFFFFFu, min(smallest & 0xFFFF, smallest >> 16));
    const unsigned int most = __reduce_max_sync(0xFFFFFFFFu, max(largest & 0xFFFF, largest >> 16));
    if (lane == 0) {
        low[brick] = (uint16_t)least;
        high[brick] = (uint16_t)most;
    }
}

extern "C" void morton_bricks(int depth, int height, int width, const uint16_t* volume, uint16_t* bricks, uint16_t* low,
                              uint16_t* high) {
    Shape shape{depth, height, width, (width + 7) / 8, (height + 7) / 8, false};
    shape.aligned = width % 2 == 0 && reinterpret_cast<uintptr_t>(volume) % 4 == 0;
    int total = shape.across * shape.down * ((depth + 7) / 8);
    make_bricks<<<(total - 1) / 8 + 1, dim3(32, 8)>>>(total, shape, volume, bricks, low, high);
}
