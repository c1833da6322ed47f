#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// sample_quality: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// restrict_read_only: __restrict__ pointers, read-only ones const.
// block_reduction(threads 256): a block's partial results combined by a tree in shared memory.
// warp_shuffle_reduction(threads 256): partial results combined by warp shuffles.
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
__device__ inline double block_sum_double(double value) {
    __shared__ double of_warp[8];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    for (int distance = 16; distance > 0; distance /= 2) {
        const double other = __shfl_xor_sync(0xffffffffu, value, distance);
        value = value + other;
    }
    if (lane == 0) {
        of_warp[warp] = value;
    }
    __syncthreads();
    value = lane < 8 ? of_warp[lane] : 0.0;
    for (int distance = 16; distance > 0; distance /= 2) {
        const double other = __shfl_xor_sync(0xffffffffu, value, distance);
        value = value + other;
    }
    __syncthreads();
    return value;
}

__global__ void sample_quality_1_rows(int n, const float* __restrict__ log_weight, float* __restrict__ log_mean,
                                      float* __restrict__ effective) {
    const int r = blockIdx.x;
    float top;
    double sum;
    double squares;
    top = log_weight[(long long)r * n];
    float top_part_i = -INFINITY;
    for (int i = 1 + threadIdx.x; i < n; i += 256) {
        top_part_i = fmaxf(top_part_i, log_weight[(long long)r * n + i]);
    }
    top = fmaxf(top, block_max_float(top_part_i));
    sum = 0.0;
    squares = 0.0;
    double sum_part_i = 0.0;
    double squares_part_i = 0.0;
    for (int i = threadIdx.x; i < n; i += 256) {
        const float w = exp(log_weight[(long long)r * n + i] - top);
        sum_part_i += w;
        squares_part_i += (double)w * w;
    }
    sum += block_sum_double(sum_part_i);
    squares += block_sum_double(squares_part_i);
    if (threadIdx.x == 0) {
        log_mean[r] = (float)(top + log(sum / n));
        effective[r] = (float)(sum * sum / squares);
    }
}

extern "C" void sample_quality(int runs, int n, const float* log_weight, float* log_mean, float* effective) {
    if (runs >= 1) {
        sample_quality_1_rows<<<runs, 256>>>(n, log_weight, log_mean, effective);
    }
}