#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// depthwise_conv: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
// streaming_stores: what is touched once goes past the caches.
// two_stage_reduction(blocks 528): a block of a second kernel combines the partial results.
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

__global__ void depthwise_conv_1_scalars(float* sum) { sum[0] = 0.0f; }

__global__ void __launch_bounds__(256, 2)
    depthwise_conv_2_partial(int height, int width, const float* input, const float* weights, long long plane,
                             float* sum_parts_1, int c, int y, int x) {
    float sum_part = 0.0f;
    for (long long point = (long long)blockIdx.x * 256 + threadIdx.x; point < (long long)(2 + 1) * (2 + 1);
         point += (long long)gridDim.x * 256) {
        const int dx = (-1) + point % (2 + 1);
        const int dy = (-1) + (point / (2 + 1));
        const int yy = y + dy;
        const int xx = x + dx;
        if (!(yy < 0 || yy >= height || xx < 0 || xx >= width)) {
            sum_part += __ldcs(&weights[9 * c + 3 * (dy + 1) + dx + 1]) *
                        input[c * plane + (unsigned long long)yy * width + xx];
        }
    }
    sum_parts_1[blockIdx.x * 256 + threadIdx.x] = sum_part;
}

__global__ void __launch_bounds__(256, 2) depthwise_conv_3_finish(float* sum, float* sum_parts_1, int parts_left) {
    float sum_part = 0.0f;
    for (int number = threadIdx.x; number < parts_left; number += 256) {
        sum_part += sum_parts_1[number];
    }
    sum_part = block_sum_float(sum_part);
    if (threadIdx.x == 0) {
        sum[0] += sum_part;
    }
}

__global__ void depthwise_conv_4_scalars(int width, float* output, long long plane, float* sum, int c, int y, int x) {
    output[c * plane + (unsigned long long)y * width + x] = sum[0];
}

extern "C" void depthwise_conv(int channels, int height, int width, const float* input, const float* weights,
                               float* output) {
    const long long plane = (unsigned long long)height * width;
    float* sum = nullptr;
    float* sum_parts_1 = nullptr;
    if (cudaMalloc(&sum, sizeof(float)) == cudaSuccess &&
        cudaMalloc(&sum_parts_1, 135168 * sizeof(float)) == cudaSuccess) {
        for (int c = 0; c < channels; ++c) {
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    depthwise_conv_1_scalars<<<1, 1>>>(sum);
                    if (c >= 0 && c < channels && x < width && x >= 0 && y < height && y >= 0) {
                        const int blocks = min(((long long)(2 + 1) * (2 + 1) - 1) / 256 + 1, (long long)528);
                        depthwise_conv_2_partial<<<blocks, 256>>>(height, width, input, weights, plane, sum_parts_1, c,
                                                                  y, x);
                        const int parts_left = blocks * 256;
                        depthwise_conv_3_finish<<<1, 256>>>(sum, sum_parts_1, parts_left);
                    }
                    depthwise_conv_4_scalars<<<1, 1>>>(width, output, plane, sum, c, y, x);
                }
            }
        }
    }
    cudaFree(sum);
    cudaFree(sum_parts_1);
}