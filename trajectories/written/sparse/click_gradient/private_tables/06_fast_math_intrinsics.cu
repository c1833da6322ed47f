// Click gradient: four impressions of a warp at a time, the sigmoid in hardware functions.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 1024;
constexpr int kTogether = 4;  // impressions of a warp in flight

__global__ void accumulate(int impressions, int slots, int table, const int* slot, const uint8_t* clicked, const float* weight,
                           float* gradient) {
    extern __shared__ float own[];
    float* w = own + table;
    for (int b = threadIdx.x; b < table; b += kThreads) own[b] = 0.0f, w[b] = weight[b];
    __syncthreads();
    int lane = threadIdx.x % 32, warps = gridDim.x * (kThreads / 32);
    for (int i0 = (blockIdx.x * kThreads + threadIdx.x) / 32; i0 < impressions; i0 += warps * kTogether) {
        int mine[kTogether];  // the lane's slot of each impression; -1 where it has none
        float margin[kTogether];
#pragma unroll
        for (int j = 0; j < kTogether; ++j) {
            int i = i0 + j * warps;
            mine[j] = i < impressions && lane < slots ? __ldcs(slot + (size_t)i * slots + lane) : -1;
        }
#pragma unroll
        for (int j = 0; j < kTogether; ++j) {
            int i = i0 + j * warps;
            margin[j] = mine[j] >= 0 ? w[mine[j]] : 0.0f;
            if (i < impressions)  // slots beyond 32 are rare
                for (int s = lane + 32; s < slots; s += 32) margin[j] += w[slot[(size_t)i * slots + s]];
        }
#pragma unroll
        for (int j = 0; j < kTogether; ++j)
            for (int distance = 16; distance > 0; distance /= 2) margin[j] += __shfl_xor_sync(0xffffffffu, margin[j], distance);
#pragma unroll
        for (int j = 0; j < kTogether; ++j) {
            int i = i0 + j * warps;
            if (i >= impressions) break;
            float residual = __fdividef(1.0f, 1.0f + __expf(-margin[j])) - clicked[i];
            if (mine[j] >= 0) atomicAdd(own + mine[j], residual);
            for (int s = lane + 32; s < slots; s += 32) atomicAdd(own + slot[(size_t)i * slots + s], residual);
        }
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
