#include <cstdint>

void masked_rows(int rows, int words, const uint32_t* mask, const float* kept, const float* x, float* y) {
    for (int r = 0; r < rows; ++r) {
        const float* value = kept + (int64_t)r * 32 * words;
        float sum = 0.0f;
        for (int w = 0; w < words; ++w) {
            uint32_t left = mask[(int64_t)r * words + w];
            while (left != 0) {
                sum += *value++ * x[32 * w + __builtin_ctz(left)];
                left &= left - 1;
            }
        }
        y[r] = sum;
    }
}
