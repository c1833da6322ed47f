// shape: in = w*h
// shape: out = w*h
// check: w=1, h=1; w=17, h=9; w=64, h=33
// random: w=1..90, h=1..60
#include <algorithm>

void unsharp_mask(const float* in, float* out, int w, int h, float amount) {
#define PIX(x, y) in[std::min(std::max((y), 0), h - 1) * w + std::min(std::max((x), 0), w - 1)]
#define WEIGHT 0.0625f
    for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) {
            float blurred = WEIGHT * (PIX(x - 1, y - 1) + PIX(x + 1, y - 1) + PIX(x - 1, y + 1) + PIX(x + 1, y + 1));
            blurred += 2 * WEIGHT * (PIX(x - 1, y) + PIX(x + 1, y) + PIX(x, y - 1) + PIX(x, y + 1));
            blurred += 4 * WEIGHT * PIX(x, y);
            out[y * w + x] = PIX(x, y) + amount * (PIX(x, y) - blurred);
        }
    }
#undef PIX
#undef WEIGHT
}
