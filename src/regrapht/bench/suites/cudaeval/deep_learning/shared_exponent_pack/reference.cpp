#include <algorithm>
#include <cstdint>

union Float {
    uint32_t bits;
    struct { uint32_t fraction : 23, exponent : 8, sign : 1; };
    bool counts() const { return exponent != 0 && exponent != 255; }
};

void shared_exponent_pack(int rows, int cols, const uint32_t* bits, uint8_t* exponent, int8_t* fraction)
{
    const int blocks = (cols + 15) / 16;
    for (int r = 0; r < rows; ++r) {
        for (int b = 0; b < blocks; ++b) {
            const uint32_t* from = bits + (long)r * cols + 16 * b;
            const int count = std::min(16, cols - 16 * b);
            uint32_t top = 0;
            for (int k = 0; k < count; ++k) {
                const Float value{from[k]};
                if (value.counts()) top = std::max<uint32_t>(top, value.exponent);
            }
            exponent[(long)r * blocks + b] = (uint8_t)top;
            for (int k = 0; k < count; ++k) {
                const Float value{from[k]};
                int32_t size = 0;
                const uint32_t by = 17 + top - value.exponent;
                if (value.counts() && by < 31) {
                    const uint32_t whole = value.fraction | 1u << 23;
                    size = (int32_t)std::min<uint32_t>(127, (whole >> by) + (whole >> (by - 1) & 1));
                }
                fraction[(long)r * cols + 16 * b + k] = (int8_t)(value.sign ? -size : size);
            }
        }
    }
}
