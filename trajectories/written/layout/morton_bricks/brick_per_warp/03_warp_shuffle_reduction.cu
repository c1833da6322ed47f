// Volume to Morton bricks: one block per brick, ranges by warp reductions.
#include <cuda_runtime.h>

#include <cstdint>

// Bits b, b + 3 and b + 6 of a Morton index as one coordinate.
__device__ int coordinate(int code, int b) {
    int value = 0;
    for (int bit = 0; bit < 3; ++bit) value |= (code >> (3 * bit + b) & 1) << bit;
    return value;
}

__global__ void make_bricks(int depth, int height, int width, const uint16_t* volume, uint16_t* bricks, uint16_t* low,
                            uint16_t* high) {
    __shared__ unsigned int smallest[16], largest[16];  // one of each warp
    const int k = threadIdx.x;
    int x = min(8 * (int)blockIdx.x + coordinate(k, 0), width - 1);
    int y = min(8 * (int)blockIdx.y + coordinate(k, 1), height - 1);
    int z = min(8 * (int)blockIdx.z + coordinate(k, 2), depth - 1);
    size_t brick = ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned int value = volume[((size_t)z * height + y) * width + x];
    bricks[512 * brick + k] = (uint16_t)value;
    unsigned int least = __reduce_min_sync(0xFFFFFFFFu, value), most = __reduce_max_sync(0xFFFFFFFFu, value);
    if (k % 32 == 0) {
        smallest[k / 32] = least;
        largest[k / 32] = most;
    }
    __syncthreads();
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
