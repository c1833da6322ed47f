#include <cstdint>

// A quantised linear layer: int8 products in int32, then a fixed-point rescale with rounding, a zero point and saturation.
void int8_linear(int rows, int outputs, int inputs, const int8_t* x, const int8_t* w, const int32_t* bias,
                 const int32_t* multiplier, int8_t* y) {
    for (int r = 0; r < rows; r++)
        for (int o = 0; o < outputs; o++) {
            int32_t acc = bias[o];
            for (int i = 0; i < inputs; i++)
                acc += (int32_t)x[r * inputs + i] * (int32_t)w[o * inputs + i];
            int64_t scaled = ((int64_t)acc * multiplier[o] + (1 << 19)) >> 20;
            scaled += 3;
            if (scaled < -128) scaled = -128;
            if (scaled > 127) scaled = 127;
            y[r * outputs + o] = (int8_t)scaled;
        }
}
