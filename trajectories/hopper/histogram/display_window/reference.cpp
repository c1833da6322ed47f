// Where a viewer sets black and white for each frame of 16-bit X-ray images: two quantiles of its pixels.
#include <cstddef>
#include <cstdint>
#include <vector>

void display_window(int frames, int pixels, int low_permille, int high_permille, const uint16_t* image, int32_t* low,
                    int32_t* high) {
    const long long low_rank = (long long)low_permille * (pixels - 1) / 1000;
    const long long high_rank = (long long)high_permille * (pixels - 1) / 1000;
    std::vector<uint32_t> count(65536);
    for (int f = 0; f < frames; ++f) {
        count.assign(65536, 0);
        for (int p = 0; p < pixels; ++p) ++count[image[(size_t)f * pixels + p]];
        long long below = 0;
        for (int level = 0; level < 65536; ++level) {
            const long long upto = below + count[level];
            if (below <= low_rank && low_rank < upto) low[f] = level;
            if (below <= high_rank && high_rank < upto) high[f] = level;
            below = upto;
        }
    }
}
