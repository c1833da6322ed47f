// Row sizes of a product: one row a block; a warp follows an entry of A, its lanes the row of B that this leads to.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128, kWarps = kThreads / 32;

__global__ void measure(int words, const int32_t* a_row, const int32_t* a_col, const int32_t* b_row, const int32_t* b_col, unsigned* met,
                        int32_t* size) {
    __shared__ int found;
    const int r = blockIdx.x, lane = threadIdx.x % 32;
    met += (long long)r * words;
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
    const int words = (cols - 1) / 32 + 1;
    unsigned* met = nullptr;
    cudaMalloc(&met, sizeof(unsigned) * rows * words);
    measure<<<rows, kThreads>>>(words, a_row, a_col, b_row, b_col, met, size);
    cudaFree(met);
}
