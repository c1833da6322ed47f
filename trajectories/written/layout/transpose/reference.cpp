// Out-of-place transposition.
#include <cstddef>

void transpose(int rows, int cols, const float* in, float* out) {
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < cols; ++c) out[(size_t)c * rows + r] = in[(size_t)r * cols + c];
    }
}
