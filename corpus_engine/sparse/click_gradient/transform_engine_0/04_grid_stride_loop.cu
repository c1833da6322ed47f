#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// click_gradient: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// shared_memory_histogram(blocks 528) [nest 2]: updates collected in shared memory.
// vectorised_access(width 4) [nest 1]: neighbouring elements loaded and stored together.
// grid_stride_loop(blocks 1056) [nest 1]: a fixed number of blocks strides over all points.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void click_gradient_1_map(int table, float* gradient) {
    const bool whole_groups = (size_t)gradient % 16 == 0;
    for (unsigned int point = blockIdx.x * 256 + threadIdx.x; point < (unsigned int)((table - 1) / 4 + 1);
         point += gridDim.x * 256) {
        const int b_first = point * 4;
        // 4 neighbouring points: one wide access an array; at the ends, and off boundaries, one by one.
        if (whole_groups && table >= b_first + 4) {
            alignas(16) float gradient_lanes[4];
#pragma unroll
            for (int lane = 0; lane < 4; ++lane) {
                gradient_lanes[lane] = 0.0f;
            }
            *reinterpret_cast<float4*>(&gradient[b_first]) = *reinterpret_cast<const float4*>(gradient_lanes);
        } else {
#pragma unroll
            for (int lane = 0; lane < 4; ++lane) {
                const int b = b_first + lane;
                if (b < table) {
                    gradient[b] = 0.0f;
                }
            }
        }
    }
}

__global__ void click_gradient_2_update(int impressions, int slots, const int* slot, const unsigned char* clicked,
                                        const float* weight, float* gradient) {
    for (unsigned int point = blockIdx.x * 256 + threadIdx.x; point < (unsigned int)impressions;
         point += gridDim.x * 256) {
        const int i = point;
        float margin;
        float residual;
        margin = 0.0f;
        for (int s = 0; s < slots; ++s) {
            margin += weight[slot[(long long)i * slots + s]];
        }
        residual = 1.0f / (1.0f + exp(-margin)) - clicked[i];
        for (int s = 0; s < slots; ++s) {
            atomicAdd(&gradient[slot[(long long)i * slots + s]], residual);
        }
    }
}

__global__ void click_gradient_3_update(int impressions, int slots, int table, const int* slot,
                                        const unsigned char* clicked, const float* weight, float* gradient) {
    extern __shared__ float gradient_block[];
    for (int bin = threadIdx.x; bin < table; bin += 256) {
        gradient_block[bin] = 0.0f;
    }
    __syncthreads();
    for (unsigned int point = blockIdx.x * 256 + threadIdx.x; point < (unsigned int)impressions;
         point += gridDim.x * 256) {
        const int i = point;
        float margin;
        float residual;
        margin = 0.0f;
        for (int s = 0; s < slots; ++s) {
            margin += weight[slot[(long long)i * slots + s]];
        }
        residual = 1.0f / (1.0f + exp(-margin)) - clicked[i];
        for (int s = 0; s < slots; ++s) {
            atomicAdd(&gradient_block[slot[(long long)i * slots + s]], residual);
        }
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < table; bin += 256) {
        if (gradient_block[bin] != 0.0f) {
            atomicAdd(&gradient[bin], gradient_block[bin]);
        }
    }
}

extern "C" void click_gradient(int impressions, int slots, int table, const int* slot, const unsigned char* clicked,
                               const float* weight, float* gradient) {
    if (table >= 1) {
        click_gradient_1_map<<<min(((table - 1) / 4) / 256 + 1, 1056), 256>>>(table, gradient);
    }
    if (table * sizeof(float) <= 49152) {
        if (impressions >= 1) {
            click_gradient_3_update<<<min((impressions - 1) / 256 + 1, 528), 256, table * sizeof(float)>>>(
                impressions, slots, table, slot, clicked, weight, gradient);
        }
    } else {
        if (impressions >= 1) {
            click_gradient_2_update<<<min((impressions - 1) / 256 + 1, 528), 256>>>(impressions, slots, slot, clicked,
                                                                                    weight, gradient);
        }
    }
}