#include <vector>

// BFGS update of the inverse Hessian approximation, in place. With w = H y and the step s:
// H + rho (1 + rho y.w) s s^T - rho (s w^T + w s^T).
void bfgs_update(int n, float rho, const float* s, const float* y, float* H) {
    std::vector<float> w(n);
    float curvature = 0.0f;
    for (int row = 0; row < n; ++row) {
        float acc = 0.0f;
        const float* h = H + (long long)row * n;
        for (int col = 0; col < n; ++col) acc += h[col] * y[col];
        w[row] = acc;
        curvature += acc * y[row];
    }
    const float c = rho * (1.0f + rho * curvature);
    for (int row = 0; row < n; ++row) {
        float* h = H + (long long)row * n;
        for (int col = 0; col < n; ++col)
            h[col] += c * s[row] * s[col] - rho * (s[row] * w[col] + w[row] * s[col]);
    }
}
