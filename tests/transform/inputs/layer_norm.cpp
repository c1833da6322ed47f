// shape: x = rows * d
// shape: gamma = d
// shape: beta = d
// shape: y = rows * d
// check: rows=1,d=1; rows=5,d=33; rows=3,d=300
#include <cmath>
void layer_norm(int rows, int d, const float* x, const float* gamma, const float* beta, float* y) {
    for (int i = 0; i < rows; ++i) {
        float mean = 0;
        for (int j = 0; j < d; ++j) mean += x[i * d + j];
        mean /= d;
        float var = 0;
        for (int j = 0; j < d; ++j) var += (x[i * d + j] - mean) * (x[i * d + j] - mean);
        const float inv = 1.0f / sqrtf(var / d + 1e-5f);
        for (int j = 0; j < d; ++j) y[i * d + j] = (x[i * d + j] - mean) * inv * gamma[j] + beta[j];
    }
}
