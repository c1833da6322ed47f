#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// dot: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// two_stage_reduction(blocks 528): a block of a second kernel combines the partial results.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
// restrict_read_only: __restrict__ pointers, read-only ones const.
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

__global__ void dot_1_scalars(float* result) { result[0] = 0.0f; }

__global__ void __launch_bounds__(256, 2)
    dot_2_partial(int n, const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ result_parts_1) {
    float result_part = 0.0f;
    for (unsigned int point = blockIdx.x * 256 + threadIdx.x; point < (unsigned int)n; point += gridDim.x * 256) {
        const int i = point;
        result_part += x[i] * y[i];
    }
    result_parts_1[blockIdx.x * 256 + threadIdx.x] = result_part;
}

__global__ void __launch_bounds__(256, 2)
    dot_3_finish(float* __restrict__ result, float* __restrict__ result_parts_1, int parts_left) {
    float result_part = 0.0f;
    for (int number = threadIdx.x; number < parts_left; number += 256) {
        result_part += result_parts_1[number];
    }
    result_part = block_sum_float(result_part);
    if (threadIdx.x == 0) {
        result[0] += result_part;
    }
}

extern "C" void dot(int n, const float* x, const float* y, float* result) {
    float* result_parts_1 = nullptr;
    if (cudaMalloc(&result_parts_1, 135168 * sizeof(float)) == cudaSuccess) {
        dot_1_scalars<<<1, 1>>>(result);
        if (n >= 1) {
            const int blocks = min((n - 1) / 256 + 1, 528);
            dot_2_partial<<<blocks, 256>>>(n, x, y, result_parts_1);
            const int parts_left = blocks * 256;
            dot_3_finish<<<1, 256>>>(result, result_parts_1, parts_left);
        }
    }
    cudaFree(result_parts_1);
}