#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// max_abs: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// block_size_tuning(block 128): another block shape.
// warp_shuffle_reduction(threads 256): partial results combined by warp shuffles.
// restrict_read_only: __restrict__ pointers, read-only ones const.
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

__global__ void max_abs_1_scalars(float* result) { result[0] = 0.0f; }

__global__ void max_abs_2_partial(int n, const float* __restrict__ x, float* __restrict__ result_parts_1) {
    float result_part = -INFINITY;
    for (unsigned int point = blockIdx.x * 256 + threadIdx.x; point < (unsigned int)n; point += gridDim.x * 256) {
        const int i = point;
        const float magnitude = fabs(x[i]);
        result_part = fmaxf(result_part, magnitude);
    }
    result_part = block_max_float(result_part);
    if (threadIdx.x == 0) {
        result_parts_1[blockIdx.x] = result_part;
    }
}

__global__ void max_abs_3_finish(float* __restrict__ result, float* __restrict__ result_parts_1, int parts_left) {
    float result_part = -INFINITY;
    for (int number = 0; number < parts_left; ++number) {
        result_part = fmaxf(result_part, result_parts_1[number]);
    }
    result[0] = fmaxf(result[0], result_part);
}

extern "C" void max_abs(int n, const float* x, float* result) {
    float* result_parts_1 = nullptr;
    if (cudaMalloc(&result_parts_1, 264 * sizeof(float)) == cudaSuccess) {
        max_abs_1_scalars<<<1, 1>>>(result);
        if (n >= 1) {
            const int blocks = min((n - 1) / 256 + 1, 264);
            max_abs_2_partial<<<blocks, 256>>>(n, x, result_parts_1);
            const int parts_left = blocks;
            max_abs_3_finish<<<1, 1>>>(result, result_parts_1, parts_left);
        }
    }
    cudaFree(result_parts_1);
}