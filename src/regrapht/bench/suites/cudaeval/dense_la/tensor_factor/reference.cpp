#include <cstdint>

// A mode's update of a canonical tensor decomposition, element of the tensor by element.
void tensor_factor(int n, int rows, int cols, int rank, const float* x, const float* b, const float* c, float* out) {
    for (int64_t i = 0; i < (int64_t)n * rank; ++i) out[i] = 0.0f;
    for (int i = 0; i < n; ++i) {
        float* mine = out + (int64_t)i * rank;
        for (int j = 0; j < rows; ++j) {
            for (int k = 0; k < cols; ++k) {
                const float element = *x++;
                for (int r = 0; r < rank; ++r) mine[r] += element * b[(int64_t)j * rank + r] * c[(int64_t)k * rank + r];
            }
        }
    }
}
