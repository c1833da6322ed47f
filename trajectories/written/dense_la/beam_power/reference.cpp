// Conventional beamformer: the mean power that an array of sensors receives from each steering direction.
struct Sample {
    float re, im;
};

void beam_power(int angles, int sensors, int snapshots, const Sample* steering, const Sample* signal, float* power) {
    for (int a = 0; a < angles; ++a) {
        float total = 0.0f;
        for (int t = 0; t < snapshots; ++t) {
            float re = 0.0f, im = 0.0f;
            for (int s = 0; s < sensors; ++s) {
                Sample w = steering[a * sensors + s], v = signal[t * sensors + s];
                re += w.re * v.re + w.im * v.im;
                im += w.re * v.im - w.im * v.re;
            }
            total += re * re + im * im;
        }
        power[a] = total / snapshots;
    }
}
