#include <cstdint>

void closed_wedges(int words, const uint32_t* link, int32_t* closed) {
    const uint32_t* const all = link;
    for (int v = 0; v < 32 * words; ++v, link += words) {
        int32_t count = 0;
        for (int w = 0; w < words; ++w) {
            for (uint32_t left = link[w]; left != 0; left &= left - 1) {
                const uint32_t* other = all + (int64_t)(32 * w + __builtin_ctz(left)) * words;
                for (int k = 0; k < words; ++k) count += __builtin_popcount(link[k] & other[k]);
            }
        }
        closed[v] = count;
    }
}
