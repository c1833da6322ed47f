// Tone match: a block counts 8192 pixels in shared memory before it adds its counts up.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kPixels = 8192;

__global__ void count(int pixels, const uint8_t* picture, int* counts) {
    __shared__ int own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * kPixels + threadIdx.x; i < min(pixels, (int)(blockIdx.x + 1) * kPixels); i += 256) atomicAdd(&own[picture[i]], 1);
    __syncthreads();
    if (own[threadIdx.x]) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

__global__ void make_table(long long source_pixels, long long target_pixels, const int* counts, uint8_t* table) {
    __shared__ long long sum[2][256];
    const int g = threadIdx.x;
    for (int k = 0; k < 2; ++k) {
        long long upto = 0;
        for (int i = 0; i <= g; ++i) upto += counts[256 * k + i];
        sum[k][g] = upto;
    }
    __syncthreads();
    int t = 0;
    while (t < 255 && sum[1][t] * source_pixels < sum[0][g] * target_pixels) ++t;
    table[g] = (uint8_t)t;
}

__global__ void apply(int pixels, const uint8_t* source, const uint8_t* table, uint8_t* matched) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) matched[i] = table[source[i]];
}

extern "C" void tone_match(int source_pixels, int target_pixels, const uint8_t* source, const uint8_t* target, uint8_t* table, uint8_t* matched) {
    int* counts = nullptr;
    cudaMallocAsync(&counts, sizeof(int) * 512, 0);
    cudaMemsetAsync(counts, 0, sizeof(int) * 512);
    count<<<(source_pixels + kPixels - 1) / kPixels, 256>>>(source_pixels, source, counts);
    count<<<(target_pixels + kPixels - 1) / kPixels, 256>>>(target_pixels, target, counts + 256);
    make_table<<<1, 256>>>(source_pixels, target_pixels, counts, table);
    apply<<<(source_pixels + 255) / 256, 256>>>(source_pixels, source, table, matched);
    cudaFreeAsync(counts, 0);
}
