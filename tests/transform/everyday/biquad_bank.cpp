// shape: in = channels*n
// shape: out = channels*n
// check: channels=1, n=1; channels=7, n=50; channels=40, n=33
// random: channels=1..60, n=1..90
struct Biquad {
    float b0, b1, b2, a1, a2;
    float z1 = 0.0f, z2 = 0.0f;

    float step(float x) {
        const float y = b0 * x + z1;
        z1 = b1 * x - a1 * y + z2;
        z2 = b2 * x - a2 * y;
        return y;
    }
    void reset() { z1 = z2 = 0.0f; }
};

void biquad_bank(const float* in, float* out, int channels, int n) {
    for (int c = 0; c < channels; c++) {
        Biquad f{0.2f, 0.4f, 0.2f, -0.5f, 0.3f};
        f.reset();
        for (int t = 0; t < n; t++) out[c * n + t] = f.step(in[c * n + t]);
    }
}
