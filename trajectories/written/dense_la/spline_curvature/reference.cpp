#include <vector>

// Natural cubic splines through n knots shared by all curves: the second derivatives m of each curve, by the Thomas algorithm.
// gap[i] is the distance from knot i to knot i + 1.
void spline_curvature(int curves, int n, const float* gap, const float* y, float* m) {
    std::vector<float> upper(n);
    for (int c = 0; c < curves; ++c) {
        const float* v = y + (long long)c * n;
        float* out = m + (long long)c * n;
        out[0] = 0.0f;
        upper[0] = 0.0f;
        for (int i = 1; i < n - 1; ++i) {
            float right = (v[i + 1] - v[i]) / gap[i];
            float left = (v[i] - v[i - 1]) / gap[i - 1];
            float pivot = 2.0f * (gap[i - 1] + gap[i]) - gap[i - 1] * upper[i - 1];
            upper[i] = gap[i] / pivot;
            out[i] = (6.0f * (right - left) - gap[i - 1] * out[i - 1]) / pivot;
        }
        out[n - 1] = 0.0f;
        for (int i = n - 2; i > 0; --i) out[i] -= upper[i] * out[i + 1];
    }
}
