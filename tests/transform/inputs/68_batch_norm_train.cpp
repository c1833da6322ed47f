#include <cmath>

// Batch normalisation in training: statistics of each channel over batch and pixels, then scale and shift. Mean and 1/deviation are kept.
void batch_norm_train(int batch, int channels, int pixels, const float* x, const float* gamma, const float* beta, float* y, float* mean,
                      float* inverse) {
    for (int c = 0; c < channels; c++) {
        double sum = 0, squares = 0;
        for (int b = 0; b < batch; b++)
            for (int p = 0; p < pixels; p++)
                sum += x[(b * channels + c) * pixels + p];
        const double m = sum / ((double)batch * pixels);
        for (int b = 0; b < batch; b++)
            for (int p = 0; p < pixels; p++) {
                const double off = x[(b * channels + c) * pixels + p] - m;
                squares += off * off;
            }
        mean[c] = (float)m;
        inverse[c] = (float)(1.0 / std::sqrt(squares / ((double)batch * pixels) + 1e-5));
    }
    for (int b = 0; b < batch; b++)
        for (int c = 0; c < channels; c++)
            for (int p = 0; p < pixels; p++)
                y[(b * channels + c) * pixels + p] = (x[(b * channels + c) * pixels + p] - mean[c]) * inverse[c] * gamma[c] + beta[c];
}
