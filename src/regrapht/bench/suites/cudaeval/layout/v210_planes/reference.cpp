#include <cstddef>
#include <cstdint>

// Hands out the samples of packed words one after the other.
struct Samples {
    const uint32_t* word;
    int at;

    uint16_t next() {
        uint16_t sample = (uint16_t)(*word >> (10 * at) & 1023u);
        if (++at == 3) {
            at = 0;
            ++word;
        }
        return sample;
    }
};

void v210_planes(int height, int groups, const uint32_t* packed, uint16_t* luma, uint16_t* blue, uint16_t* red) {
    for (int y = 0; y < height; ++y) {
        Samples samples = {packed + 4 * (size_t)y * groups, 0};
        for (int pair = 0; pair < 3 * groups; ++pair) {
            const size_t at = 3 * (size_t)y * groups + pair;
            blue[at] = samples.next();
            luma[2 * at] = samples.next();
            red[at] = samples.next();
            luma[2 * at + 1] = samples.next();
        }
    }
}
