#include <cmath>
#include <cstdint>

static float mean_of(int n, const float* a, const float* b) {
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) sum += b ? a[i] * b[i] : a[i];
    return sum / n;
}

// Backward pass of a layer normalisation.
void norm_backward(int rows, int cols, const float* x, const float* dy, const float* gamma, float* dx, float* dgamma, float* dbeta) {
    for (int c = 0; c < cols; ++c) dgamma[c] = dbeta[c] = 0.0f;
    float h[1024], g[1024];
    for (int r = 0; r < rows; ++r, x += cols, dy += cols, dx += cols) {
        const float mean = mean_of(cols, x, nullptr);
        for (int c = 0; c < cols; ++c) h[c] = x[c] - mean;
        const float spread = 1.0f / std::sqrt(mean_of(cols, h, h) + 1e-5f);
        for (int c = 0; c < cols; ++c) {
            h[c] *= spread;
            g[c] = gamma[c] * dy[c];
            dgamma[c] += dy[c] * h[c];
            dbeta[c] += dy[c];
        }
        const float level = mean_of(cols, g, nullptr), slope = mean_of(cols, g, h);
        for (int c = 0; c < cols; ++c) dx[c] = spread * (g[c] - level - h[c] * slope);
    }
}
