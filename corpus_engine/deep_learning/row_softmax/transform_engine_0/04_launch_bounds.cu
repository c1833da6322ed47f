#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// row_softmax: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// warp_shuffle_reduction(threads 256): partial results combined by warp shuffles.
// restrict_read_only: __restrict__ pointers, read-only ones const.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

// Every thread of the block gets the max of all their values, by shuffles in and then across its warps.
__device__ inline float block_max_float(float value) {
    __shared__ float of_warp[8];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    for (int distance = 16; distance > 0; distance /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, value, distance);
        value = fmaxf(value, other);
    }
    if (lane == 0) {
        of_warp[warp] = value;
    }
    __syncthreads();
    value = lane < 8 ? of_warp[lane] : -INFINITY;
    for (int distance = 16; distance > 0; distance /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, value, distance);
        value = fmaxf(value, other);
    }
    __syncthreads();
    return value;
}

// Every thread of the block gets the sum of all their values, by shuffles in and then across its warps.
__device__ inline float block_sum_float(float value) {
    __shared__ float of_warp[8];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    for (int distance = 16; distance > 0; distance /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, value, distance);
        value = value + other;
    }
    if (lane == 0) {
        of_warp[warp] = value;
    }
    __syncthreads();
    value = lane < 8 ? of_warp[lane] : 0.0f;
    for (int distance = 16; distance > 0; distance /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, value, distance);
        value = value + other;
    }
    __syncthreads();
    return value;
}

__global__ void __launch_bounds__(256, 2)
    row_softmax_1_rows(int cols, const float* __restrict__ in, float* __restrict__ out) {
    const int r = blockIdx.x;
    float largest;
    float sum;
    largest = in[(unsigned long long)r * cols];
    float largest_part_c = -INFINITY;
    for (int c = 1 + threadIdx.x; c < cols; c += 256) {
        largest_part_c = fmaxf(largest_part_c, in[(unsigned long long)r * cols + c]);
    }
    largest = fmaxf(largest, block_max_float(largest_part_c));
    sum = 0.0f;
    float sum_part_c = 0.0f;
    for (int c = threadIdx.x; c < cols; c += 256) {
        out[(unsigned long long)r * cols + c] = exp(in[(unsigned long long)r * cols + c] - largest);
        sum_part_c += out[(unsigned long long)r * cols + c];
    }
    sum += block_sum_float(sum_part_c);
    __syncthreads();
    for (int c = threadIdx.x; c < cols; c += 256) {
        out[(unsigned long long)r * cols + c] = out[(unsigned long long)r * cols + c] / sum;
    }
}

extern "C" void row_softmax(int rows, int cols, const float* in, float* out) {
    if (rows >= 1) {
        row_softmax_1_rows<<<rows, 256>>>(cols, in, out);
    }
}