// shape: in = 4 * w * h
// shape: out = w * h
// check: w=1,h=1; w=33,h=9; w=20,h=40
void downsample(int w, int h, const float* in, float* out) {
    for (int y = 0; y < 2 * h; y += 2)
        for (int x = 0; x < 2 * w; x += 2)
            out[(y / 2) * w + x / 2] = 0.25f * (in[y * (2 * w) + x] + in[y * (2 * w) + x + 1] +
                                               in[(y + 1) * (2 * w) + x] + in[(y + 1) * (2 * w) + x + 1]);
}
