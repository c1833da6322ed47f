#include <cstddef>
#include <cstdint>

static int corrected(int raw, int dark, int gain) {
    const int value = ((raw - dark) * gain + 2048) >> 12;
    return value < 0 ? 0 : value > 65535 ? 65535 : value;
}

void flat_field(int frames, int height, int width, const uint16_t* dark, const uint16_t* gain, const uint16_t* raw, uint16_t* clean) {
    for (int f = 0; f < frames; ++f) {
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const size_t p = (size_t)y * width + x, here = (size_t)f * height * width + p;
                if (gain[p] != 0) {
                    clean[here] = (uint16_t)corrected(raw[here], dark[p], gain[p]);
                    continue;
                }
                int sum = 0, good = 0;
                if (x > 0 && gain[p - 1] != 0) {
                    sum += corrected(raw[here - 1], dark[p - 1], gain[p - 1]);
                    ++good;
                }
                if (x + 1 < width && gain[p + 1] != 0) {
                    sum += corrected(raw[here + 1], dark[p + 1], gain[p + 1]);
                    ++good;
                }
                clean[here] = (uint16_t)(good == 0 ? 0 : sum / good);
            }
        }
    }
}
