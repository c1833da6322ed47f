// shape: signal = n
// shape: kernel = 9
// shape: out = n
// check: n=1; n=9; n=300
void convolution_rows(int n, const float* __restrict__ signal, const float* kernel, float* out) {
    for (int i = 0; i < n; ++i) {
        float acc = 0.0f;
        for (int k = 0; k < 9; ++k) {
            const int at = i + k - 4;
            if (at >= 0 && at < n) acc += signal[at] * kernel[k];
        }
        out[i] = acc;
    }
}
