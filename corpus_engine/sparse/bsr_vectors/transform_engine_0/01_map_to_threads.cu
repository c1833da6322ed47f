#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// bsr_vectors: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
//
// The loop at line 9 of the reference runs in one thread: its iterations are not known in advance.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void bsr_vectors_1_map(int vectors, double* Y, int br) {
    const unsigned int point = blockIdx.x * 256 + threadIdx.x;
    const int v = point % vectors;
    const int i = point / vectors;
    if (i <= 3) {
        Y[(4ll * br + i) * vectors + v] = 0.0;
    }
}

__global__ void bsr_vectors_2_scalars(int vectors, const int* start, const int* block_col, const double* block,
                                      const double* X, double* Y, int br) {
    for (int b = start[br]; b < start[br + 1]; ++b) {
        const long long from_at = 4ll * block_col[b] * vectors;
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 4; ++j) {
                const double a = block[16ll * b + 4 * i + j];
                for (int v = 0; v < vectors; ++v) {
                    Y[(4ll * br + i) * vectors + v] += a * X[from_at + (j * vectors + v)];
                }
            }
        }
    }
}

extern "C" void bsr_vectors(int block_rows, int block_cols, int blocks, int vectors, const int* start,
                            const int* block_col, const double* block, const double* X, double* Y) {
    (void)block_cols;
    (void)blocks;
    for (int br = 0; br < block_rows; ++br) {
        if (br < block_rows && br >= 0 && vectors >= 1) {
            bsr_vectors_1_map<<<((long long)(3 + 1) * vectors - 1) / 256 + 1, 256>>>(vectors, Y, br);
        }
        bsr_vectors_2_scalars<<<1, 1>>>(vectors, start, block_col, block, X, Y, br);
    }
}