// shape: a = h*w
// shape: b = h*w
// shape: low = h
// shape: wide = h
// shape: few = h
// shape: most = h
// init: b = ints(-90, 90)
// check: h=1, w=1; h=7, w=5; h=40, w=33
// random: h=1..60, w=1..40
#include <cstdint>
#include <limits>
void limits(const int* a, const short* b, int64_t* wide, uint64_t* few, int16_t* low, unsigned* most, int h, int w) {
    for (int y = 0; y < h; y++) {
        int64_t best = INT64_MAX;
        uint64_t least = std::numeric_limits<std::uint64_t>::max();
        int16_t top = std::numeric_limits<int16_t>::lowest();
        unsigned u = UINT32_MAX;
        for (int x = 0; x < w; x++) {
            if (a[y * w + x] * (int64_t)3 < best) best = a[y * w + x] * (int64_t)3;
            const uint64_t v = (uint64_t)(a[y * w + x] + 1000) << 33;
            least = v < least ? v : least;
            if (b[y * w + x] > top) top = b[y * w + x];
            u = u < (unsigned)b[y * w + x] ? u : (unsigned)b[y * w + x];
        }
        wide[y] = best == INT64_MIN ? 0 : best;
        few[y] = least & SIZE_MAX;
        low[y] = top > INT8_MAX ? INT8_MAX : top;
        most[y] = u % UINT16_MAX;
    }
}
