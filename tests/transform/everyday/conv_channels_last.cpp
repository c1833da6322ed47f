// shape: in = h*w*c
// shape: weight = 9*c
// shape: out = h*w*c
// check: h=1, w=1, c=1; h=5, w=7, c=3; h=16, w=9, c=8
// random: h=1..20, w=1..20, c=1..9
template <typename Real = float, int Radius = 1>
void conv_channels_last(const Real* in, const Real* weight, Real* out, int h, int w, int c) {
    constexpr int Side = 2 * Radius + 1;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x)
            for (int k = 0; k < c; ++k) {
                Real sum{};
                for (int dy = -Radius; dy <= Radius; ++dy)
                    for (int dx = -Radius; dx <= Radius; ++dx)
                        if (y + dy >= 0 && y + dy < h && x + dx >= 0 && x + dx < w)
                            sum += in[((y + dy) * w + x + dx) * c + k] * weight[((dy + Radius) * Side + dx + Radius) * c + k];
                out[(y * w + x) * c + k] = sum;
            }
}
template void conv_channels_last(const float*, const float*, float*, int, int, int);
