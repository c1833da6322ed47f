#include <cstdint>

static int32_t high_mul(int32_t a, int32_t b)
{
    const int64_t product = (int64_t)a * b + (1ll << 30);
    return (int32_t)(product >> 31);
}

static int32_t shift_rounded(int32_t value, int exponent)
{
    const int32_t mask = (1 << exponent) - 1;
    const int32_t rest = value & mask;
    const int32_t threshold = (mask >> 1) + (value < 0 ? 1 : 0);
    return (value >> exponent) + (rest > threshold ? 1 : 0);
}

void requantised_dense(int rows, int inputs, int outputs, int32_t zero_in, int32_t zero_out, const uint8_t* x, const int8_t* w,
                       const int32_t* bias, const int32_t* multiplier, const int32_t* shift, uint8_t* y)
{
    for (int r = 0; r < rows; r++) {
        for (int o = 0; o < outputs; o++) {
            int32_t acc = bias[o];
            for (int i = 0; i < inputs; i++)
                acc += ((int32_t)x[(long)r * inputs + i] - zero_in) * w[(long)o * inputs + i];
            acc = shift_rounded(high_mul(acc, multiplier[o]), shift[o]) + zero_out;
            if (acc < 0) acc = 0;
            if (acc > 255) acc = 255;
            y[(long)r * outputs + o] = (uint8_t)acc;
        }
    }
}
