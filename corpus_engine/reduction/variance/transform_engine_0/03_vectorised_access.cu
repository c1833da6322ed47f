#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// variance: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// launch_bounds(blocks 2) [nest 1, 2]: registers limited, so that several blocks share a multiprocessor.
// vectorised_access(width 4) [nest 1, 2]: neighbouring elements loaded and stored together.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void variance_1_scalars(float* sum) { sum[0] = 0.0f; }

__global__ void __launch_bounds__(256, 2) variance_2_partial(int n, const float* x, float* sum_parts_1) {
    float sum_part = 0.0f;
    const bool whole_groups = (size_t)x % 16 == 0;
    for (unsigned int point = blockIdx.x * 256 + threadIdx.x; point < (unsigned int)((n - 1) / 4 + 1);
         point += gridDim.x * 256) {
        const int i_first = point * 4;
        // 4 neighbouring points: one wide access an array; at the ends, and off boundaries, one by one.
        if (whole_groups && n >= i_first + 4) {
            alignas(16) float x_lanes[4];
            *reinterpret_cast<float4*>(x_lanes) = *reinterpret_cast<const float4*>(&x[i_first]);
#pragma unroll
            for (int lane = 0; lane < 4; ++lane) {
                sum_part += x_lanes[lane];
            }
        } else {
#pragma unroll
            for (int lane = 0; lane < 4; ++lane) {
                const int i = i_first + lane;
                if (i < n) {
                    sum_part += x[i];
                }
            }
        }
    }
    sum_parts_1[blockIdx.x * 256 + threadIdx.x] = sum_part;
}

__global__ void variance_3_finish(float* sum, float* sum_parts_1, int parts_left) {
    float sum_part = 0.0f;
    for (int number = 0; number < parts_left; ++number) {
        sum_part += sum_parts_1[number];
    }
    sum[0] += sum_part;
}

__global__ void variance_4_scalars(int n, float* sum, float* mean, float* squares) {
    mean[0] = sum[0] / n;
    squares[0] = 0.0f;
}

__global__ void __launch_bounds__(256, 2)
    variance_5_partial(int n, const float* x, const float* mean, float* squares_parts_2) {
    float squares_part = 0.0f;
    const bool whole_groups = (size_t)x % 16 == 0;
    for (unsigned int point = blockIdx.x * 256 + threadIdx.x; point < (unsigned int)((n - 1) / 4 + 1);
         point += gridDim.x * 256) {
        const int i_first = point * 4;
        // 4 neighbouring points: one wide access an array; at the ends, and off boundaries, one by one.
        if (whole_groups && n >= i_first + 4) {
            alignas(16) float x_lanes[4];
            *reinterpret_cast<float4*>(x_lanes) = *reinterpret_cast<const float4*>(&x[i_first]);
#pragma unroll
            for (int lane = 0; lane < 4; ++lane) {
                const float deviation = x_lanes[lane] - mean[0];
                squares_part += deviation * deviation;
            }
        } else {
#pragma unroll
            for (int lane = 0; lane < 4; ++lane) {
                const int i = i_first + lane;
                if (i < n) {
                    const float deviation = x[i] - mean[0];
                    squares_part += deviation * deviation;
                }
            }
        }
    }
    squares_parts_2[blockIdx.x * 256 + threadIdx.x] = squares_part;
}

__global__ void variance_6_finish(float* squares, float* squares_parts_2, int parts_left) {
    float squares_part = 0.0f;
    for (int number = 0; number < parts_left; ++number) {
        squares_part += squares_parts_2[number];
    }
    squares[0] += squares_part;
}

__global__ void variance_7_scalars(int n, float* result, float* squares) { result[0] = squares[0] / n; }

extern "C" void variance(int n, const float* x, float* result) {
    float* sum = nullptr;
    float* mean = nullptr;
    float* squares = nullptr;
    float* sum_parts_1 = nullptr;
    float* squares_parts_2 = nullptr;
    if (cudaMalloc(&sum, sizeof(float)) == cudaSuccess && cudaMalloc(&mean, sizeof(float)) == cudaSuccess &&
        cudaMalloc(&squares, sizeof(float)) == cudaSuccess &&
        cudaMalloc(&sum_parts_1, 8192 * sizeof(float)) == cudaSuccess &&
        cudaMalloc(&squares_parts_2, 8192 * sizeof(float)) == cudaSuccess) {
        variance_1_scalars<<<1, 1>>>(sum);
        if (n >= 1) {
            const int blocks = min(((n - 1) / 4) / 256 + 1, 32);
            variance_2_partial<<<blocks, 256>>>(n, x, sum_parts_1);
            const int parts_left = blocks * 256;
            variance_3_finish<<<1, 1>>>(sum, sum_parts_1, parts_left);
        }
        variance_4_scalars<<<1, 1>>>(n, sum, mean, squares);
        if (n >= 1) {
            const int blocks = min(((n - 1) / 4) / 256 + 1, 32);
            variance_5_partial<<<blocks, 256>>>(n, x, mean, squares_parts_2);
            const int parts_left = blocks * 256;
            variance_6_finish<<<1, 1>>>(squares, squares_parts_2, parts_left);
        }
        variance_7_scalars<<<1, 1>>>(n, result, squares);
    }
    cudaFree(sum);
    cudaFree(mean);
    cudaFree(squares);
    cudaFree(sum_parts_1);
    cudaFree(squares_parts_2);
}