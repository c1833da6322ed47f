#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// int4_linear: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// streaming_stores: what is touched once goes past the caches.
// block_reduction(threads 256): a block's partial results combined by a tree in shared memory.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

// Every thread of the block gets the sum of all their values, by a tree in shared memory.
__device__ inline float block_sum_float(float value) {
    __shared__ float values[256];
    values[threadIdx.x] = value;
    __syncthreads();
    for (unsigned int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            values[threadIdx.x] = values[threadIdx.x] + values[threadIdx.x + half];
        }
        __syncthreads();
    }
    const float total = values[0];
    __syncthreads();
    return total;
}

__global__ void int4_linear_1_rows(int rows, int cols, const unsigned char* packed, const float* scale,
                                   const unsigned char* zero, const float* x, float* y, int groups) {
    const int r = blockIdx.x % rows;
    const int t = (blockIdx.x) / rows;
    float out;
    float part;
    int z;
    out = 0.0f;
    float out_part_g = 0.0f;
    for (int g = threadIdx.x; g < groups; g += 256) {
        part = 0.0f;
        z = zero[r * groups + g];
        for (int c = 64 * g; c <= 64 * g + 63; c += 2) {
            const unsigned char byte = packed[((long long)r * cols + c) / 2];
            part += (float)((byte & 15) - z) * x[t * cols + c];
            part += (float)((byte >> 4) - z) * x[t * cols + c + 1];
        }
        out_part_g += scale[r * groups + g] * part;
    }
    out += block_sum_float(out_part_g);
    if (threadIdx.x == 0) {
        __stcs(&y[t * rows + r], out);
    }
}

extern "C" void int4_linear(int tokens, int rows, int cols, const unsigned char* packed, const float* scale,
                            const unsigned char* zero, const float* x, float* y) {
    const int groups = cols / 64;
    if (rows >= 1 && tokens >= 1) {
        int4_linear_1_rows<<<(long long)tokens * rows, 256>>>(rows, cols, packed, scale, zero, x, y, groups);
    }
}