// Numerically safe softmax of each row.
#include <cmath>
#include <cstddef>

void row_softmax(int rows, int cols, const float* in, float* out) {
    for (int r = 0; r < rows; ++r) {
        const float* x = in + (size_t)r * cols;
        float* y = out + (size_t)r * cols;
        float largest = x[0];
        for (int c = 1; c < cols; ++c) {
            if (x[c] > largest) largest = x[c];
        }
        float sum = 0.0f;
        for (int c = 0; c < cols; ++c) {
            y[c] = std::exp(x[c] - largest);
            sum += y[c];
        }
        for (int c = 0; c < cols; ++c) y[c] /= sum;
    }
}
