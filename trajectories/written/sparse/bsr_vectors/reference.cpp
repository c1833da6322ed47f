#include <cstdint>

// Block-sparse matrix (4 x 4 blocks, row-major inside) times several vectors stored side by side: Y = A X.
void bsr_vectors(int block_rows, int block_cols, int blocks, int vectors, const int32_t* start, const int32_t* block_col,
                 const double* block, const double* X, double* Y) {
    for (int br = 0; br < block_rows; ++br) {
        for (int i = 0; i < 4; ++i)
            for (int v = 0; v < vectors; ++v) Y[(4ll * br + i) * vectors + v] = 0.0;
        for (int b = start[br]; b < start[br + 1]; ++b) {
            const double* from = X + 4ll * block_col[b] * vectors;
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) {
                    const double a = block[16ll * b + 4 * i + j];
                    for (int v = 0; v < vectors; ++v) Y[(4ll * br + i) * vectors + v] += a * from[j * vectors + v];
                }
        }
    }
}
