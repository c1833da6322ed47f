// The full Haar decomposition of a signal: averages to the front and differences behind them, again and again on the front half.
// A last element without a partner stays where it is.
void haar_levels(int n, float* signal, float* scratch) {
    int len = n;
    while (len > 1) {
        const int half = len / 2;
        for (int i = 0; i < half; i++) {
            scratch[i] = 0.5f * (signal[2 * i] + signal[2 * i + 1]);
            scratch[half + i] = 0.5f * (signal[2 * i] - signal[2 * i + 1]);
        }
        for (int i = 0; i < 2 * half; i++)
            signal[i] = scratch[i];
        len = half;
    }
}
