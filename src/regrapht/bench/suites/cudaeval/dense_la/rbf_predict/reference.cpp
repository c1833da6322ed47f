#include <cmath>
#include <cstdint>

// Prediction of a kernel machine with Gaussian kernels, a row of x after the other.
void rbf_predict(int queries, int support, int dims, float gamma, float bias, const float* x, const float* v, const float* alpha,
                 float* out) {
    for (int q = 0; q < queries; ++q) {
        float score = bias;
        for (int s = 0; s < support; ++s) {
            float far = 0.0f;
            for (int d = 0; d < dims; ++d) {
                const float gap = x[(int64_t)q * dims + d] - v[(int64_t)s * dims + d];
                far += gap * gap;
            }
            score += alpha[s] * std::exp(-gamma * far);
        }
        out[q] = score;
    }
}
