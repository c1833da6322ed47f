// Click gradient: weights and a private gradient both in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 1024;

__global__ void accumulate(int impressions, int slots, int table, const int* slot, const uint8_t* clicked, const float* weight,
                           float* gradient) {
    extern __shared__ float own[];
    float* w = own + table;
    for (int b = threadIdx.x; b < table; b += kThreads) own[b] = 0.0f, w[b] = weight[b];
    __syncthreads();
    int lane = threadIdx.x % 32, warps = gridDim.x * (kThreads / 32);
    for (int i = (blockIdx.x * kThreads + threadIdx.x) / 32; i < impressions; i += warps) {
        const int* mine = slot + (size_t)i * slots;
        float margin = 0.0f;
        for (int s = lane; s < slots; s += 32) margin += w[mine[s]];
        for (int distance = 16; distance > 0; distance /= 2) margin += __shfl_xor_sync(0xffffffffu, margin, distance);
        float residual = 1.0f / (1.0f + expf(-margin)) - clicked[i];
        for (int s = lane; s < slots; s += 32) atomicAdd(own + mine[s], residual);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < table; b += kThreads)
        if (own[b] != 0.0f) atomicAdd(gradient + b, own[b]);
}

extern "C" void click_gradient(int impressions, int slots, int table, const int* slot, const uint8_t* clicked, const float* weight,
                               float* gradient) {
    cudaMemsetAsync(gradient, 0, table * sizeof(float));
    int device = 0, processors = 0, resident = 0;
    size_t bytes = 2 * table * sizeof(float);  // at most 192 KB
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaFuncSetAttribute(accumulate, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, accumulate, kThreads, bytes);
    int blocks = (impressions + kThreads / 32 - 1) / (kThreads / 32);
    if (blocks > processors * resident) blocks = processors * resident;
    accumulate<<<blocks, kThreads, bytes>>>(impressions, slots, table, slot, clicked, weight, gradient);
}
