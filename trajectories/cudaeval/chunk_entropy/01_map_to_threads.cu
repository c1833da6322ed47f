// Entropy: one chunk a thread counts in device memory.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void examine(int chunks, int size, const uint8_t* data, int* counts, float* entropy, int* kinds, uint8_t* common) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= chunks) return;
    int* own = counts + 256ll * c;
    for (int i = 0; i < size; ++i) ++own[data[(size_t)c * size + i]];
    float bits = 0;
    int all = 0, top = 0;
    for (int v = 0; v < 256; ++v) {
        if (!own[v]) continue;
        bits -= (float)own[v] / size * log2f((float)own[v] / size);
        ++all;
        if (own[v] > own[top]) top = v;
    }
    entropy[c] = bits;
    kinds[c] = all;
    common[c] = top;
}

__global__ void mean(int chunks, const float* entropy, float* order) {
    __shared__ double part[8];
    double sum = 0;
    for (int c = threadIdx.x; c < chunks; c += 256) sum += entropy[c];
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x) return;
    for (int w = 1; w < 8; ++w) sum += part[w];
    *order = (float)(sum / chunks);
}

extern "C" void chunk_entropy(int chunks, int size, const uint8_t* data, float* entropy, int32_t* kinds, uint8_t* common, float* order) {
    int* counts = nullptr;
    cudaMallocAsync(&counts, 1024ull * chunks, 0);
    cudaMemsetAsync(counts, 0, 1024ull * chunks);
    examine<<<(chunks + 63) / 64, 64>>>(chunks, size, data, counts, entropy, kinds, common);
    mean<<<1, 256>>>(chunks, entropy, order);
    cudaFreeAsync(counts, 0);
}
