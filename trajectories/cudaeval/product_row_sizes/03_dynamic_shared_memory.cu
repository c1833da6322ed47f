// Row sizes of a product: a block's bits lie in shared memory, where they fit.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128, kWarps = kThreads / 32, kMostBytes = 200 * 1024;

// `scratch`: the bits of all rows, where a row of them is too long for shared memory.
__global__ void measure(int words, const int32_t* __restrict__ a_row, const int32_t* __restrict__ a_col, const int32_t* __restrict__ b_row,
                        const int32_t* __restrict__ b_col, unsigned* scratch, int32_t* __restrict__ size) {
    extern __shared__ unsigned near[];
    __shared__ int found;
    const int r = blockIdx.x, lane = threadIdx.x % 32;
    unsigned* met = scratch != nullptr ? scratch + (long long)r * words : near;
    for (int w = threadIdx.x; w < words; w += kThreads) met[w] = 0;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    int mine = 0;
    for (int e = a_row[r] + threadIdx.x / 32; e < a_row[r + 1]; e += kWarps) {
        const int k = a_col[e];
        for (int f = b_row[k] + lane; f < b_row[k + 1]; f += 32) {
            const unsigned bit = 1u << b_col[f] % 32;
            mine += (atomicOr(met + b_col[f] / 32, bit) & bit) == 0;
        }
    }
    if (mine > 0) atomicAdd(&found, mine);
    __syncthreads();
    if (threadIdx.x == 0) size[r] = found;
}

extern "C" void product_row_sizes(int rows, int inner, int cols, int a_entries, int b_entries, const int32_t* a_row, const int32_t* a_col,
                                  const int32_t* b_row, const int32_t* b_col, int32_t* size) {
    const int words = (cols - 1) / 32 + 1, bytes = (int)sizeof(unsigned) * words;
    if (bytes <= kMostBytes) {
        if (bytes > 47 * 1024) cudaFuncSetAttribute(measure, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        measure<<<rows, kThreads, bytes>>>(words, a_row, a_col, b_row, b_col, nullptr, size);
    } else {
        unsigned* met = nullptr;
        cudaMalloc(&met, sizeof(unsigned) * rows * words);
        measure<<<rows, kThreads>>>(words, a_row, a_col, b_row, b_col, met, size);
        cudaFree(met);
    }
}
