// Volume to Morton bricks: voxels are loaded in row order and permuted in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

// The three bits of a coordinate, moved to bits 0, 3 and 6.
__device__ int spread(int c) { return (c & 1) | (c & 2) << 2 | (c & 4) << 4; }

__global__ void make_bricks(int depth, int height, int width, const uint16_t* volume, uint16_t* bricks, uint16_t* low,
                            uint16_t* high) {
    __shared__ unsigned int smallest[16], largest[16];  // one of each warp
    __shared__ uint16_t ordered[512];
    const int k = threadIdx.x;
    const int dx = k & 7, dy = k >> 3 & 7, dz = k >> 6;
    int x = min(8 * (int)blockIdx.x + dx, width - 1);
    int y = min(8 * (int)blockIdx.y + dy, height - 1);
    int z = min(8 * (int)blockIdx.z + dz, depth - 1);
    size_t brick = ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned int value = volume[((size_t)z * height + y) * width + x];
    ordered[spread(dx) | spread(dy) << 1 | spread(dz) << 2] = (uint16_t)value;
    unsigned int least = __reduce_min_sync(0xFFFFFFFFu, value), most = __reduce_max_sync(0xFFFFFFFFu, value);
    if (k % 32 == 0) {
        smallest[k / 32] = least;
        largest[k / 32] = most;
    }
    __syncthreads();
    bricks[512 * brick + k] = ordered[k];
    if (k < 32) {
        least = __reduce_min_sync(0xFFFFFFFFu, smallest[k % 16]);
        most = __reduce_max_sync(0xFFFFFFFFu, largest[k % 16]);
        if (k == 0) {
            low[brick] = (uint16_t)least;
            high[brick] = (uint16_t)most;
        }
    }
}

extern "C" void morton_bricks(int depth, int height, int width, const uint16_t* volume, uint16_t* bricks, uint16_t* low,
                              uint16_t* high) {
    dim3 count((width + 7) / 8, (height + 7) / 8, (depth + 7) / 8);
    make_bricks<<<count, 512>>>(depth, height, width, volume, bricks, low, high);
}
