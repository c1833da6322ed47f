#include <algorithm>
#include <cstdint>

void pack_samples(int rows, int n, const uint16_t* samples, uint8_t* packed, int32_t* clipped, uint8_t* check)
{
    for (int r = 0; r < rows; ++r) {
        clipped[r] = 0;
        check[r] = 0;
        const auto emit = [&](int byte) {
            *packed++ = (uint8_t)byte;
            check[r] ^= (uint8_t)byte;
        };
        for (int i = 0; i < n; i += 4) {
            int low = 0;
            for (int k = 0; k < 4; ++k) {
                const int raw = samples[(long)r * n + i + k], kept = std::min(std::max(raw, 4), 1019);
                clipped[r] += kept != raw;
                emit(kept >> 2);
                low |= (kept & 3) << 2 * k;
            }
            emit(low);
        }
    }
}
