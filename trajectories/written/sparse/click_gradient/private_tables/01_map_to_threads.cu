// Click gradient: a thread for each impression adds its residual to the table with atomics.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void accumulate(int impressions, int slots, const int* slot, const uint8_t* clicked, const float* weight, float* gradient) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= impressions) return;
    const int* mine = slot + (size_t)i * slots;
    float margin = 0.0f;
    for (int s = 0; s < slots; ++s) margin += weight[mine[s]];
    float residual = 1.0f / (1.0f + expf(-margin)) - clicked[i];
    for (int s = 0; s < slots; ++s) atomicAdd(gradient + mine[s], residual);
}

extern "C" void click_gradient(int impressions, int slots, int table, const int* slot, const uint8_t* clicked, const float* weight,
                               float* gradient) {
    cudaMemsetAsync(gradient, 0, table * sizeof(float));
    accumulate<<<(impressions + 255) / 256, 256>>>(impressions, slots, slot, clicked, weight, gradient);
}
