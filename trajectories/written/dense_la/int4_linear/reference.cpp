#include <cstdint>

// Linear layer with 4-bit weights, two columns to a byte (the even one in the low half). Each 64 columns of a row share a
// scale and a zero point.
void int4_linear(int tokens, int rows, int cols, const uint8_t* packed, const float* scale, const uint8_t* zero, const float* x, float* y) {
    const int groups = cols / 64;
    for (int t = 0; t < tokens; ++t) {
        for (int r = 0; r < rows; ++r) {
            float out = 0.0f;
            for (int g = 0; g < groups; ++g) {
                float part = 0.0f;
                const int z = zero[r * groups + g];
                for (int c = g * 64; c < (g + 1) * 64; c += 2) {
                    uint8_t byte = packed[((long long)r * cols + c) / 2];
                    part += (float)((byte & 15) - z) * x[t * cols + c];
                    part += (float)((byte >> 4) - z) * x[t * cols + c + 1];
                }
                out += scale[r * groups + g] * part;
            }
            y[t * rows + r] = out;
        }
    }
}
