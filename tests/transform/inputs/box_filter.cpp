// shape: in = h * w
// shape: out = h * w
// check: w=1,h=1; w=33,h=9; w=65,h=40
constexpr int R = 2;

void box_filter(int w, int h, const float* in, float* out) {
    for (int y = R; y < h - R; y++)
        for (int x = R; x < w - R; x++) {
            float sum = 0.0f;
            for (int dy = -R; dy <= R; dy++)
                for (int dx = -R; dx <= R; dx++) sum += in[(y + dy) * w + (x + dx)];
            out[y * w + x] = sum / ((2 * R + 1) * (2 * R + 1));
        }
}
