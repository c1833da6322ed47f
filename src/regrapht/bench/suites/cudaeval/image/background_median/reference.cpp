#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

void background_median(int frames, int pixels, int32_t limit, const uint8_t* stack, uint8_t* background, uint8_t* front, int32_t* changed)
{
    std::vector<uint8_t> values(frames);
    const auto middle = values.begin() + frames / 2;
    *changed = 0;
    for (int p = 0; p < pixels; ++p) {
        for (int f = 0; f < frames; ++f) values[f] = stack[(size_t)f * pixels + p];
        const int newest = values.back();
        std::nth_element(values.begin(), middle, values.end());
        background[p] = *middle;
        const bool differs = std::abs(newest - *middle) > limit;
        front[p] = differs ? 255 : 0;
        *changed += differs;
    }
}
