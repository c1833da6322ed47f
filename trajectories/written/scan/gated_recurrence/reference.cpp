// Gated recurrence of a state-space layer: h follows x at the pace that the gate allows, along time, for every channel by itself.
void gated_recurrence(int batch, int time, int channels, const float* gate, const float* x, float* h) {
    for (int b = 0; b < batch; ++b) {
        for (int t = 0; t < time; ++t) {
            const long long row = ((long long)b * time + t) * channels;
            for (int c = 0; c < channels; ++c) {
                float before = t == 0 ? 0.0f : h[row - channels + c];
                h[row + c] = gate[row + c] * before + (1.0f - gate[row + c]) * x[row + c];
            }
        }
    }
}
