// y = A x for a dense row-major matrix.
#include <cstddef>

void matvec(int rows, int cols, const float* A, const float* x, float* y) {
    for (int row = 0; row < rows; ++row) {
        const float* a = A + (size_t)row * cols;
        float sum = 0.0f;
        for (int col = 0; col < cols; ++col) sum += a[col] * x[col];
        y[row] = sum;
    }
}
