namespace dsp {

struct Biquad {
    float b0, b1, b2, a1, a2;

    float tick(float x, float* s) const
    {
        const float y = b0 * x + s[0];
        s[0] = b1 * x - a1 * y + s[1];
        s[1] = b2 * x - a2 * y;
        return y;
    }
};

}  // namespace dsp

void biquad_bank(int channels, int samples, int stages, const float* coefficient, float* state, float* audio)
{
    const dsp::Biquad* filter = reinterpret_cast<const dsp::Biquad*>(coefficient);
    for (int c = 0; c < channels; ++c, filter += stages, state += 2 * stages, audio += samples) {
        for (int k = 0; k < stages; ++k) {
            for (int n = 0; n < samples; ++n) audio[n] = filter[k].tick(audio[n], state + 2 * k);
        }
    }
}
