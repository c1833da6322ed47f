// shape: in = n*m
// shape: gain = m
// shape: out = n*m
// check: n=1, m=1; n=9, m=17; n=50, m=33
// random: n=1..70, m=1..70
#include <cmath>

void layer_norm_rows(const float* in, const float* gain, float* out, int n, int m) {
    auto mean_of = [m](const float* row) {
        float s = 0.0f;
        for (int k = 0; k < m; ++k) s += row[k];
        return s / m;
    };
    auto spread = [m](const float* row, float mean) {
        float s = 0.0f;
        for (int k = 0; k < m; ++k) s += (row[k] - mean) * (row[k] - mean);
        return std::sqrt(s / m + 1e-5f);
    };
    auto scale = [&](const float* row, float* to, float mean, float by) {
        for (int k = 0; k < m; ++k) to[k] = gain[k] * (row[k] - mean) / by;
    };
    for (int i = 0; i < n; ++i) {
        const float mean = mean_of(in + i * m);
        scale(&in[i * m], &out[i * m], mean, spread(in + i * m, mean));
    }
}
