// shape: x = rows * cols
// shape: y = rows * cols
// check: rows=1,cols=1; rows=7,cols=33; rows=3,cols=500
#include <algorithm>
#include <cmath>
#include <limits>
void softmax_rows(int rows, int cols, const float* x, float* y) {
    for (int r = 0; r < rows; r++) {
        float top = -std::numeric_limits<float>::infinity();
        for (int c = 0; c < cols; c++) top = std::max(top, x[r * cols + c]);
        float total = 0.0f;
        for (int c = 0; c < cols; c++) {
            const float e = std::exp(x[r * cols + c] - top);
            y[r * cols + c] = e;
            total += e;
        }
        for (int c = 0; c < cols; c++) y[r * cols + c] /= total;
    }
}
