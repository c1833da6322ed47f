// shape: in = n*m
// shape: out = n*m
// check: n=1, m=1; n=9, m=17; n=50, m=33
// random: n=1..70, m=1..70
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

struct Layers {
    static float top(const float* row, int m) { return *std::max_element(row, row + m); }

    static void rows(const float* in, float* out, int n, int m) {
        for (int i = 0; i < n; ++i) {
            const float* row = in + i * m;
            float* to = out + i * m;
            const float high = top(row, m);
            std::transform(row, row + m, to, [high](float v) { return std::exp(v - high); });
            const float sum = std::accumulate(to, to + m, 0.0f);
            for (int k = 0; k < m; ++k) to[k] /= sum;
        }
    }
};

void softmax_static(const float* in, float* out, int n, int m) { Layers::rows(in, out, n, m); }
