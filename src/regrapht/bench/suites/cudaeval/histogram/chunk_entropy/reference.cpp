#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

void chunk_entropy(int chunks, int size, const uint8_t* data, float* entropy, int32_t* kinds, uint8_t* common, float* order)
{
    double total = 0;
    for (int c = 0; c < chunks; ++c) {
        std::array<int, 256> counts{};
        std::for_each(data + (long)c * size, data + (long)(c + 1) * size, [&](uint8_t byte) { ++counts[byte]; });
        double bits = 0;
        for (const int k : counts)
            if (k) bits -= (double)k / size * std::log2((double)k / size);
        entropy[c] = (float)bits;
        kinds[c] = 256 - (int32_t)std::count(counts.begin(), counts.end(), 0);
        common[c] = (uint8_t)(std::max_element(counts.begin(), counts.end()) - counts.begin());
        total += bits;
    }
    *order = (float)(total / chunks);
}
