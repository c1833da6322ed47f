#include <cstdint>

void packed_decimals(int n, int width, const int64_t *amounts, uint8_t *packed, uint8_t *too_long)
{
    for (int i = 0; i < n; i++) {
        uint8_t *field = packed + (int64_t)i * width;
        uint64_t rest = amounts[i] < 0 ? 0 - (uint64_t)amounts[i] : (uint64_t)amounts[i];
        int nibble = amounts[i] < 0 ? 13 : 12;
        for (int b = width - 1; b >= 0; b--) {
            int high = (int)(rest % 10);
            rest /= 10;
            field[b] = (uint8_t)(high << 4 | nibble);
            if (b > 0) {
                nibble = (int)(rest % 10);
                rest /= 10;
            }
        }
        too_long[i] = rest != 0;
    }
}
