#include <cmath>
#include <cstddef>

namespace {
struct Moments {
    double center_a[3] = {}, center_b[3] = {}, cross[3][3] = {}, size = 0.0;
};

Moments moments_of(int points, const float* a, const float* b) {
    Moments m;
    for (int p = 0; p < points; ++p) {
        for (int k = 0; k < 3; ++k) {
            m.center_a[k] += a[3 * p + k] / (double)points;
            m.center_b[k] += b[3 * p + k] / (double)points;
        }
    }
    for (int p = 0; p < points; ++p) {
        for (int i = 0; i < 3; ++i) {
            const double u = a[3 * p + i] - m.center_a[i], v = b[3 * p + i] - m.center_b[i];
            m.size += 0.5 * (u * u + v * v);
            for (int j = 0; j < 3; ++j) m.cross[i][j] += u * (b[3 * p + j] - m.center_b[j]);
        }
    }
    return m;
}

// The largest eigenvalue of the quaternion matrix of the cross moments, by Newton's method from above.
double best_overlap(const Moments& m) {
    const double(&s)[3][3] = m.cross;
    double squares = 0.0;
    for (const double(&row)[3] : s)
        for (double value : row) squares += value * value;
    const double det = s[0][0] * (s[1][1] * s[2][2] - s[1][2] * s[2][1]) - s[0][1] * (s[1][0] * s[2][2] - s[1][2] * s[2][0]) +
                       s[0][2] * (s[1][0] * s[2][1] - s[1][1] * s[2][0]);
    double minors = 0.0;  // of all pairs of rows and columns, squared
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const int r = (i + 1) % 3, t = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            const double minor = s[r][c] * s[t][d] - s[r][d] * s[t][c];
            minors += minor * minor;
        }
    }
    const double c2 = -2.0 * squares, c1 = -8.0 * det, c0 = squares * squares - 4.0 * minors;
    double x = m.size;
    for (int round = 0; round < 50; ++round) {
        const double value = ((x * x + c2) * x + c1) * x + c0, slope = (4.0 * x * x + 2.0 * c2) * x + c1;
        if (slope <= 0.0) break;
        const double step = value / slope;
        x -= step;
        if (step < 1e-9 * x) break;
    }
    return x;
}
}  // namespace

void superpose_scores(int pairs, int points, const float* first, const float* second, float* score) {
    for (int p = 0; p < pairs; ++p) {
        const size_t at = 3 * (size_t)p * points;
        const Moments m = moments_of(points, first + at, second + at);
        score[p] = (float)((best_overlap(m) + 0.01) / (m.size + 0.01));
    }
}
