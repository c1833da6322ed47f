#include <algorithm>
#include <cstdint>

void diagonal_product(int n, int diagonals, const int32_t* offset, const float* value, const float* x, float* y) {
    std::fill_n(y, n, 0.0f);
    for (int d = 0; d < diagonals; ++d) {
        const int shift = offset[d];
        const float* along = value + (int64_t)d * n;
        const int from = std::max(0, -shift), to = std::min(n, n - shift);
        for (int i = from; i < to; ++i) y[i] += along[i] * x[i + shift];
    }
}
