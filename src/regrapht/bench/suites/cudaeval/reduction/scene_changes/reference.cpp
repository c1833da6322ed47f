#include <cstdint>
#include <cstdlib>

void scene_changes(int frames, int pixels, int threshold, const uint8_t* video, uint32_t* difference, uint32_t* moved) {
    difference[0] = moved[0] = 0;
    for (int f = 1; f < frames; ++f) {
        const uint8_t* after = video + (int64_t)f * pixels;
        const uint8_t* before = after - pixels;
        uint32_t sum = 0, count = 0;
        for (int i = 0; i < pixels; ++i) {
            const int change = std::abs(after[i] - before[i]);
            sum += (uint32_t)change;
            if (change > threshold) ++count;
        }
        difference[f] = sum;
        moved[f] = count;
    }
}
