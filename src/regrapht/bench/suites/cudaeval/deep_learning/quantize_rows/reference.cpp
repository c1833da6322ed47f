#include <cmath>
#include <cstddef>
#include <cstdint>

// Symmetric 8-bit quantisation with a scale for each row.
void quantize_rows(int rows, int cols, const float* value, int8_t* code, float* scale) {
    const float* end = value + (size_t)rows * cols;
    while (value != end) {
        float largest = 0.0f;
        for (int c = 0; c < cols; ++c) largest = std::fmax(largest, std::fabs(value[c]));
        const float factor = largest > 0.0f ? 127.0f / largest : 0.0f;
        for (int c = 0; c < cols; ++c) *code++ = (int8_t)std::rint(*value++ * factor);
        *scale++ = largest / 127.0f;
    }
}
