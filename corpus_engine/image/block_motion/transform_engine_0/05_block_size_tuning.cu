#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// block_motion: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// grid_stride_loop(blocks 1056): a fixed number of blocks strides over all points.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
// restrict_read_only: __restrict__ pointers, read-only ones const.
// block_size_tuning(block 128): another block shape.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(128, 2)
    block_motion_1_map(int down, int across, int radius, const unsigned char* __restrict__ now,
                       const unsigned char* __restrict__ before, int* __restrict__ motion, int* __restrict__ cost,
                       int rows, int pitch) {
    for (unsigned int point = blockIdx.x * 128 + threadIdx.x; point < (unsigned int)(((long long)across * down));
         point += gridDim.x * 128) {
        const int block = point;
        int top;
        int left;
        int least;
        top = block / across * 16;
        left = block % across * 16;
        least = INT_MAX;
        for (int dy = -radius; dy <= radius; ++dy) {
            if (!(top + dy < 0 || top + dy + 16 > rows)) {
                for (int dx = -radius; dx <= radius; ++dx) {
                    if (!(left + dx < 0 || left + dx + 16 > pitch)) {
                        const unsigned long long pitch_2 = pitch;
                        int sum = 0;
                        for (int y = 0; y < 16; ++y) {
                            for (int x = 0; x < 16; ++x) {
                                sum +=
                                    abs(now[(unsigned long long)top * pitch + left + (y * pitch_2 + x)] -
                                        before[(unsigned long long)(top + dy) * pitch + left + dx + (y * pitch_2 + x)]);
                            }
                        }
                        const int difference_result_2 = sum;
                        const int found = difference_result_2;
                        if (found < least) {
                            least = found;
                            motion[2 * block] = dx;
                            motion[2 * block + 1] = dy;
                        }
                    }
                }
            }
        }
        cost[block] = least;
    }
}

extern "C" void block_motion(int down, int across, int radius, const unsigned char* now, const unsigned char* before,
                             int* motion, int* cost) {
    const int rows = 16 * down;
    const int pitch = 16 * across;
    if (((long long)across * down) >= 1) {
        block_motion_1_map<<<min((((long long)across * down) - 1) / 128 + 1, 1056), 128>>>(
            down, across, radius, now, before, motion, cost, rows, pitch);
    }
}