#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// click_gradient: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void click_gradient_1_map(int table, float* gradient) {
    const int b = blockIdx.x * 256 + threadIdx.x;
    if (b < table) {
        gradient[b] = 0.0f;
    }
}

__global__ void click_gradient_2_update(int impressions, int slots, const int* slot, const unsigned char* clicked,
                                        const float* weight, float* gradient) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float margin;
    float residual;
    if (i < impressions) {
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

extern "C" void click_gradient(int impressions, int slots, int table, const int* slot, const unsigned char* clicked,
                               const float* weight, float* gradient) {
    if (table >= 1) {
        click_gradient_1_map<<<(table - 1) / 256 + 1, 256>>>(table, gradient);
    }
    if (impressions >= 1) {
        click_gradient_2_update<<<(impressions - 1) / 256 + 1, 256>>>(impressions, slots, slot, clicked, weight,
                                                                      gradient);
    }
}