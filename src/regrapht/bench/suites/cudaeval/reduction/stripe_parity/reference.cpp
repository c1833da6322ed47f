#include <cstdint>
#include <cstring>

void stripe_parity(int disks, int words, const uint8_t* taking_part, const uint32_t* data, uint32_t* parity) {
    std::memset(parity, 0, sizeof(uint32_t) * words);
    for (int d = 0; d < disks; ++d, data += words) {
        if (!taking_part[d]) continue;
        for (int w = 0; w < words; ++w) parity[w] ^= data[w];
    }
}
