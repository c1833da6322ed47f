// Gram matrix C = A^T A as a sum of outer products of the rows of A.
#include <cstddef>

void gram(int m, int n, const float* A, float* C) {
    for (size_t i = 0; i < (size_t)n * n; ++i) C[i] = 0.0f;
    for (int k = 0; k < m; ++k) {
        const float* row = A + (size_t)k * n;
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) C[(size_t)i * n + j] += row[i] * row[j];
        }
    }
}
