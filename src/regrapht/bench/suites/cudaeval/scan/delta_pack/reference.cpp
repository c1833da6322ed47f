#include <cstdint>

enum { kGroup = 128 };

// Appends the lowest bits of numbers to words.
struct BitWriter {
    uint32_t* to;
    uint64_t waiting;
    int held;

    void put(uint32_t number, int bits) {
        waiting |= (uint64_t)number << held;
        held += bits;
        if (held >= 32) {
            *to++ = (uint32_t)waiting;
            waiting >>= 32;
            held -= 32;
        }
    }
};

void delta_pack(int n, const uint32_t* value, uint8_t* width, int32_t* start, uint32_t* packed, int32_t* words) {
    int32_t used = 0;
    int group = 0;
    for (int first = 0; first < n; first += kGroup, ++group) {
        const int last = n - first < kGroup ? n : first + kGroup;
        uint32_t any = 0;
        for (int i = first; i < last; ++i) any |= value[i] - (i > 0 ? value[i - 1] : 0);
        int bits = 0;
        while (bits < 32 && any >> bits != 0) ++bits;
        width[group] = (uint8_t)bits;
        start[group] = used;
        BitWriter out = {packed + used, 0, 0};
        for (int i = first; i < first + kGroup; ++i) out.put(i < last ? value[i] - (i > 0 ? value[i - 1] : 0) : 0, bits);
        used += 4 * bits;
    }
    start[group] = used;
    *words = used;
}
