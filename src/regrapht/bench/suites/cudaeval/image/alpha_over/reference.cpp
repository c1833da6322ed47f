#include <algorithm>
#include <cstdint>

namespace {

inline int scale(int a, int b)
{
    const int t = a * b + 128;
    return (t + t / 256) / 256;
}

enum Mode { kOver, kAdd, kMultiply };

struct Pixel { uint8_t part[4]; };

Pixel blend(Pixel under, Pixel layer, int opacity, int mode)
{
    for (uint8_t& s : layer.part) s = (uint8_t)scale(s, opacity);
    Pixel result;
    for (int k = 0; k < 4; ++k) {
        const int s = layer.part[k], p = under.part[k];
        int now = 0;
        switch (mode) {
        case kOver: now = s + scale(p, 255 - layer.part[3]); break;
        case kAdd: now = s + p; break;
        default: now = scale(s, p); break;
        }
        result.part[k] = (uint8_t)std::min(255, now);
    }
    return result;
}

}  // namespace

void alpha_over(int layers, int pixels, const int32_t* mode, const uint8_t* opacity, const uint8_t* stack, uint8_t* picture)
{
    std::fill(picture, picture + 4l * pixels, 0);
    Pixel* out = reinterpret_cast<Pixel*>(picture);
    const Pixel* in = reinterpret_cast<const Pixel*>(stack);
    for (int l = 0; l < layers; ++l)
        for (int i = 0; i < pixels; ++i) out[i] = blend(out[i], in[(long)l * pixels + i], opacity[l], mode[l]);
}
