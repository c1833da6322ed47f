#include <algorithm>
#include <cstdint>

void adler_blocks(int n, int block, const uint8_t* data, uint32_t* sums)
{
    constexpr uint32_t kPrime = 65521;
    for (int from = 0, k = 0; from < n; from += block, ++k) {
        uint32_t a = 1, b = 0;
        std::for_each(data + from, data + std::min(n, from + block), [&](uint8_t byte) {
            a = (a + byte) % kPrime;
            b = (b + a) % kPrime;
        });
        sums[k] = b << 16 | a;
    }
}
