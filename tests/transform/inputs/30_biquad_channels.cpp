// A second-order recursive filter on interleaved channels, each with its own five coefficients and its own memory.
void biquad_channels(int frames, int channels, const float* coefficient, const float* in, float* out)
{
    for (int c = 0; c < channels; c++) {
        const float* k = coefficient + 5 * c;
        float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
        for (int f = 0; f < frames; f++) {
            const float x0 = in[f * channels + c];
            const float y0 = k[0] * x0 + k[1] * x1 + k[2] * x2 - k[3] * y1 - k[4] * y2;
            x2 = x1; x1 = x0;
            y2 = y1; y1 = y0;
            out[f * channels + c] = y0;
        }
    }
}
