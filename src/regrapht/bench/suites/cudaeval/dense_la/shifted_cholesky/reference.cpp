#include <cmath>
#include <cstddef>
#include <cstring>

// What the first `count` columns of two rows have in common.
static float overlap(const float* a, const float* b, int count) {
    float sum = 0.0f;
    while (count-- > 0) sum += *a++ * *b++;
    return sum;
}

float shifted_cholesky(int n, const float* matrix, float* factor) {
    double log_det = 0.0;
    std::memset(factor, 0, sizeof(float) * n * n);
    for (int i = 0; i < n; ++i) {
        float* row = factor + (size_t)i * n;
        for (int j = 0; j < i; ++j) {
            const float* other = factor + (size_t)j * n;
            row[j] = (matrix[(size_t)i * n + j] - overlap(row, other, j)) / other[j];
        }
        row[i] = std::sqrt(matrix[(size_t)i * n + i] + n - overlap(row, row, i));
        log_det += 2.0 * std::log(row[i]);
    }
    return (float)log_det;
}
