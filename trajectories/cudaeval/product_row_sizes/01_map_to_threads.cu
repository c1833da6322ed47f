// Row sizes of a product: one row a thread, with a bit for each column in scratch memory.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void measure(int rows, int words, const int32_t* a_row, const int32_t* a_col, const int32_t* b_row, const int32_t* b_col,
                        unsigned* met, int32_t* size) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    met += (long long)r * words;
    int found = 0;
    for (int w = 0; w < words; ++w) met[w] = 0;
    for (int e = a_row[r]; e < a_row[r + 1]; ++e) {
        for (int f = b_row[a_col[e]]; f < b_row[a_col[e] + 1]; ++f) {
            const unsigned bit = 1u << b_col[f] % 32, before = met[b_col[f] / 32];
            if (before & bit) continue;
            met[b_col[f] / 32] = before | bit;
            ++found;
        }
    }
    size[r] = found;
}

extern "C" void product_row_sizes(int rows, int inner, int cols, int a_entries, int b_entries, const int32_t* a_row, const int32_t* a_col,
                                  const int32_t* b_row, const int32_t* b_col, int32_t* size) {
    const int words = (cols - 1) / 32 + 1;
    unsigned* met = nullptr;
    cudaMalloc(&met, sizeof(unsigned) * rows * words);
    measure<<<(rows - 1) / 64 + 1, 64>>>(rows, words, a_row, a_col, b_row, b_col, met, size);
    cudaFree(met);
}
