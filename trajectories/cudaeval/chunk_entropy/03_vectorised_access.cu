// Entropy: four bytes a load where chunks are whole words, and two sets of counts, so that neighbouring warps meet less.
#include <cuda_runtime.h>

#include <cstdint>

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

// what a block of 256 threads, each with one value's count, has to say of a chunk
__device__ void settle(int k, int size, float* entropy, int* kinds, uint8_t* common) {
    __shared__ float bits_of[8];
    __shared__ int kinds_of[8], best_of[8];
    float bits = k ? -(float)k / size * log2f((float)k / size) : 0.0f;
    const int kinds_here = __popc(__ballot_sync(0xffffffffu, k > 0));
    for (int apart = 16; apart > 0; apart /= 2) bits += __shfl_xor_sync(0xffffffffu, bits, apart);
    const int best = __reduce_max_sync(0xffffffffu, k << 8 | (255 - threadIdx.x));
    if (threadIdx.x % 32 == 0) bits_of[threadIdx.x / 32] = bits, kinds_of[threadIdx.x / 32] = kinds_here, best_of[threadIdx.x / 32] = best;
    __syncthreads();
    if (threadIdx.x) return;
    int all = kinds_here, top = best;
    for (int w = 1; w < 8; ++w) bits += bits_of[w], all += kinds_of[w], top = max(top, best_of[w]);
    *entropy = bits;
    *kinds = all;
    *common = 255 - (top & 255);
}

__global__ void examine(int size, const uint8_t* __restrict__ data, float* entropy, int* kinds, uint8_t* common) {
    __shared__ int counts[2][256];
    counts[0][threadIdx.x] = counts[1][threadIdx.x] = 0;
    __syncthreads();
    int* own = counts[threadIdx.x / 32 % 2];
    const uint8_t* from = data + (size_t)blockIdx.x * size;
    const int words = size % 4 ? 0 : size / 4;
    for (int w = threadIdx.x; w < words; w += 256) {
        const uint32_t four = reinterpret_cast<const uint32_t*>(from)[w];
        atomicAdd(&own[four & 255], 1);
        atomicAdd(&own[four >> 8 & 255], 1);
        atomicAdd(&own[four >> 16 & 255], 1);
        atomicAdd(&own[four >> 24], 1);
    }
    for (int i = 4 * words + threadIdx.x; i < size; i += 256) atomicAdd(&own[from[i]], 1);
    __syncthreads();
    settle(counts[0][threadIdx.x] + counts[1][threadIdx.x], size, entropy + blockIdx.x, kinds + blockIdx.x, common + blockIdx.x);
}

extern "C" void chunk_entropy(int chunks, int size, const uint8_t* data, float* entropy, int32_t* kinds, uint8_t* common, float* order) {
    examine<<<chunks, 256>>>(size, data, entropy, kinds, common);
    mean<<<1, 256>>>(chunks, entropy, order);
}
