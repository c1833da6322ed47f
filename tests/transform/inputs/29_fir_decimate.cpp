// Low-pass filter and decimation in one: output i is the filter laid over the input from 4 i on.
enum { DECIMATION = 4 };

void fir_decimate(int outputs, int taps, const short* signal, const float* filter, float* out) {
    for (int i = 0; i < outputs; i++) {
        double sum = 0.0;
        for (int t = taps - 1; t >= 0; t--)
            sum += filter[t] * signal[i * DECIMATION + t];
        out[i] = (float)sum;
    }
}
