#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// morton_bricks: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
//
// The nest at line 16 of the reference runs in one thread: its iterations depend on each other.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__device__ inline int interleaved(int x, int y, int z) {
    int code = 0;
    for (int bit = 0; bit < 3; ++bit) {
        code = code | ((x >> bit & 1) << 3 * bit | (y >> bit & 1) << (3 * bit + 1) | (z >> bit & 1) << (3 * bit + 2));
    }
    return code;
}

__global__ void morton_bricks_1_scalars(unsigned long long* brick) { brick[0] = 0; }

__global__ void morton_bricks_2_serial(int depth, int height, int width, const unsigned short* volume,
                                       unsigned short* bricks, unsigned short* low, unsigned short* high,
                                       unsigned long long* brick) {
    unsigned short smallest;
    unsigned short largest;
    for (int bz = 0; bz < depth; bz += 8) {
        for (int by = 0; by < height; by += 8) {
            for (int bx = 0; bx < width; bx += 8) {
                smallest = 65535;
                largest = 0;
                for (int k = 0; k <= 511; ++k) {
                    const int z = min(bz + (k >> 6), depth - 1);
                    const int y = min(by + (k >> 3 & 7), height - 1);
                    const int x = min(bx + (k & 7), width - 1);
                    const unsigned short value = volume[((unsigned long long)z * height + y) * width + x];
                    bricks[512 * brick[0] + interleaved(k & 7, k >> 3 & 7, k >> 6)] = value;
                    smallest = min(smallest, (unsigned short)(value));
                    largest = max(largest, (unsigned short)(value));
                }
                low[brick[0]] = smallest;
                high[brick[0]] = largest;
                brick[0] += 1;
            }
        }
    }
}

extern "C" void morton_bricks(int depth, int height, int width, const unsigned short* volume, unsigned short* bricks,
                              unsigned short* low, unsigned short* high) {
    unsigned long long* brick = nullptr;
    if (cudaMalloc(&brick, sizeof(unsigned long long)) == cudaSuccess) {
        morton_bricks_1_scalars<<<1, 1>>>(brick);
        morton_bricks_2_serial<<<1, 1>>>(depth, height, width, volume, bricks, low, high, brick);
    }
    cudaFree(brick);
}