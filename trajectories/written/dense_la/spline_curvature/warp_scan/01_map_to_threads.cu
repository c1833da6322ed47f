// Splines: a thread eliminates and substitutes one curve; the factors of the elimination lie in scratch, knot by knot.
#include <cuda_runtime.h>

__global__ void solve(int curves, int n, const float* gap, const float* y, float* m, float* upper) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= curves) return;
    const float* v = y + (size_t)c * n;
    float* out = m + (size_t)c * n;
    float before = 0.0f, factor = 0.0f;
    out[0] = 0.0f;
    for (int i = 1; i < n - 1; ++i) {
        float right = (v[i + 1] - v[i]) / gap[i], left = (v[i] - v[i - 1]) / gap[i - 1];
        float pivot = 2.0f * (gap[i - 1] + gap[i]) - gap[i - 1] * factor;
        factor = gap[i] / pivot;
        before = (6.0f * (right - left) - gap[i - 1] * before) / pivot;
        upper[(size_t)i * curves + c] = factor;
        out[i] = before;
    }
    float after = 0.0f;
    out[n - 1] = 0.0f;
    for (int i = n - 2; i > 0; --i) {
        after = out[i] - upper[(size_t)i * curves + c] * after;
        out[i] = after;
    }
}

extern "C" void spline_curvature(int curves, int n, const float* gap, const float* y, float* m) {
    float* upper = nullptr;
    cudaMalloc(&upper, (size_t)curves * n * sizeof(float));
    solve<<<(curves + 127) / 128, 128>>>(curves, n, gap, y, m, upper);
    cudaFree(upper);
}
