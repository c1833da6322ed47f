// Toll rounds: one vertex a thread; each round copies the distances first and counts by atomics.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void relax(int vertices, const int32_t* row, const int32_t* tail, const int32_t* toll, const int32_t* before, int32_t* distance, int32_t* changed) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    int best = before[v];
    for (int k = row[v]; k < row[v + 1]; ++k)
        if (before[tail[k]] < 2000000000) best = min(best, before[tail[k]] + toll[k]);
    if (best != before[v]) atomicAdd(changed, 1);
    distance[v] = best;
}

extern "C" void toll_rounds(int vertices, int, int rounds, const int32_t* row_start, const int32_t* tail, const int32_t* toll, int32_t* distance,
                            int32_t* changed) {
    int32_t* before = nullptr;
    cudaMallocAsync(&before, sizeof(int32_t) * vertices, 0);
    cudaMemsetAsync(changed, 0, sizeof(int32_t) * rounds);
    for (int r = 0; r < rounds; ++r) {
        cudaMemcpyAsync(before, distance, sizeof(int32_t) * vertices, cudaMemcpyDeviceToDevice);
        relax<<<(vertices + 255) / 256, 256>>>(vertices, row_start, tail, toll, before, distance, changed + r);
    }
    cudaFreeAsync(before, 0);
}
