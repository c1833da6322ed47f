// Splines: the elimination of the matrix is done once for all curves; a thread then runs one curve through it.
#include <cuda_runtime.h>

// What the elimination of one knot needs; the same for every curve, because the knots are.
struct Knot {
    float left, right;  // the right-hand side over the pivot is right * (y[i+1] - y[i]) - left * (y[i] - y[i-1])
    float below;        // factor of the value before, going forward
    float upper;        // factor of the value after, going back
};

__global__ void factorise(int n, const float* gap, Knot* knots) {
    float factor = 0.0f;
    for (int i = 1; i < n - 1; ++i) {
        float inverse = 1.0f / (2.0f * (gap[i - 1] + gap[i]) - gap[i - 1] * factor);
        factor = gap[i] * inverse;
        knots[i] = {6.0f * inverse / gap[i - 1], 6.0f * inverse / gap[i], gap[i - 1] * inverse, factor};
    }
}

__global__ void solve(int curves, int n, const Knot* knots, const float* y, float* m) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= curves) return;
    const float* v = y + (size_t)c * n;
    float* out = m + (size_t)c * n;
    float before = 0.0f;
    out[0] = 0.0f;
    for (int i = 1; i < n - 1; ++i) {
        Knot k = knots[i];
        before = k.right * (v[i + 1] - v[i]) - k.left * (v[i] - v[i - 1]) - k.below * before;
        out[i] = before;
    }
    float after = 0.0f;
    out[n - 1] = 0.0f;
    for (int i = n - 2; i > 0; --i) {
        after = out[i] - knots[i].upper * after;
        out[i] = after;
    }
}

extern "C" void spline_curvature(int curves, int n, const float* gap, const float* y, float* m) {
    Knot* knots = nullptr;
    cudaMalloc(&knots, n * sizeof(Knot));
    factorise<<<1, 1>>>(n, gap, knots);
    solve<<<(curves + 127) / 128, 128>>>(curves, n, knots, y, m);
    cudaFree(knots);
}
