// Toll rounds: a vertex whose distance is 0 or less has nothing to gain from its roads.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void relax(int vertices, const int32_t* row, const int32_t* tail, const int32_t* toll, const int32_t* before, int32_t* distance, int32_t* changed) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    const int own = v < vertices ? before[v] : 0;
    int best = own;
    for (int k = own > 0 && v < vertices ? row[v] : 0, end = own > 0 && v < vertices ? row[v + 1] : 0; k < end; ++k) {
        const int other = before[tail[k]];
        if (other < 2000000000) best = min(best, other + toll[k]);
    }
    const int improved = __syncthreads_count(best != own);
    if (threadIdx.x == 0 && improved) atomicAdd(changed, improved);
    if (v < vertices) distance[v] = best;
}

extern "C" void toll_rounds(int vertices, int, int rounds, const int32_t* row_start, const int32_t* tail, const int32_t* toll, int32_t* distance,
                            int32_t* changed) {
    int32_t* other = nullptr;
    cudaMallocAsync(&other, sizeof(int32_t) * vertices, 0);
    cudaMemsetAsync(changed, 0, sizeof(int32_t) * rounds);
    for (int r = 0; r < rounds; ++r)
        relax<<<(vertices + 255) / 256, 256>>>(vertices, row_start, tail, toll, r % 2 ? other : distance, r % 2 ? distance : other, changed + r);
    if (rounds % 2) cudaMemcpyAsync(distance, other, sizeof(int32_t) * vertices, cudaMemcpyDeviceToDevice);
    cudaFreeAsync(other, 0);
}
