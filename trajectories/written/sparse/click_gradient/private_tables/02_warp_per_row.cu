// Click gradient: a warp for each impression, a lane for each slot.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void accumulate(int impressions, int slots, const int* slot, const uint8_t* clicked, const float* weight, float* gradient) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= impressions) return;  // a whole warp
    const int* mine = slot + (size_t)i * slots;
    float margin = 0.0f;
    for (int s = lane; s < slots; s += 32) margin += weight[mine[s]];
    for (int distance = 16; distance > 0; distance /= 2) margin += __shfl_xor_sync(0xffffffffu, margin, distance);
    float residual = 1.0f / (1.0f + expf(-margin)) - clicked[i];
    for (int s = lane; s < slots; s += 32) atomicAdd(gradient + mine[s], residual);
}

extern "C" void click_gradient(int impressions, int slots, int table, const int* slot, const uint8_t* clicked, const float* weight,
                               float* gradient) {
    cudaMemsetAsync(gradient, 0, table * sizeof(float));
    accumulate<<<(impressions + 7) / 8, 256>>>(impressions, slots, slot, clicked, weight, gradient);
}
