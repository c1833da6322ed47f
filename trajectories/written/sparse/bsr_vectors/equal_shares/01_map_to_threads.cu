// Block-sparse product: a thread for each row of Y walks its blocks once for every vector.
#include <cuda_runtime.h>

__global__ void product(int block_rows, int vectors, const int* start, const int* block_col, const double* block, const double* X,
                        double* Y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= 4 * block_rows) return;
    int br = row / 4, i = row % 4;
    for (int v = 0; v < vectors; ++v) {
        double sum = 0.0;
        for (int b = start[br]; b < start[br + 1]; ++b)
            for (int j = 0; j < 4; ++j) sum += block[16ll * b + 4 * i + j] * X[(4ll * block_col[b] + j) * vectors + v];
        Y[(size_t)row * vectors + v] = sum;
    }
}

extern "C" void bsr_vectors(int block_rows, int block_cols, int blocks, int vectors, const int* start, const int* block_col,
                            const double* block,
                            const double* X, double* Y) {
    product<<<(4 * block_rows + 127) / 128, 128>>>(block_rows, vectors, start, block_col, block, X, Y);
}
