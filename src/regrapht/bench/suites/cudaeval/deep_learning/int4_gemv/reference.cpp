#include <cstddef>
#include <cstdint>

void int4_gemv(int rows, int groups, const uint32_t* packed, const float* scale, const uint8_t* zero, const float* x, float* y) {
    for (int r = 0; r < rows; ++r) {
        const uint32_t* word = packed + (size_t)r * groups * 4;
        float sum = 0.0f;
        for (int g = 0; g < groups; ++g) {
            float s = scale[(size_t)r * groups + g];
            int z = zero[(size_t)r * groups + g];
            for (int j = 0; j < 32; ++j) {
                int q = (word[4 * g + j / 8] >> (4 * (j % 8))) & 15;
                sum += s * (float)(q - z) * x[32 * g + j];
            }
        }
        y[r] = sum;
    }
}
