#include <algorithm>
#include <cmath>
#include <cstdint>

struct Symmetric {
    double at[3][3];

    // Makes the entry (p, q) zero; the third index is the other one.
    void rotate(int p, int q) {
        const int o = 3 - p - q;
        const double theta = (at[q][q] - at[p][p]) / (2.0 * at[p][q]);
        const double t = (theta < 0.0 ? -1.0 : 1.0) / (std::fabs(theta) + std::sqrt(theta * theta + 1.0));
        const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
        at[p][p] -= t * at[p][q];
        at[q][q] += t * at[p][q];
        at[p][q] = at[q][p] = 0.0;
        const double a = at[o][p], b = at[o][q];
        at[o][p] = at[p][o] = c * a - s * b;
        at[o][q] = at[q][o] = s * a + c * b;
    }
};

// Eigenvalues of symmetric 3 x 3 matrices: the largest entry off the diagonal is rotated away until all are tiny.
void tensor_shapes(int n, const double* tensor, double* value) {
    for (int i = 0; i < n; ++i, tensor += 6, value += 3) {
        Symmetric m = {{{tensor[0], tensor[1], tensor[2]}, {tensor[1], tensor[3], tensor[4]}, {tensor[2], tensor[4], tensor[5]}}};
        for (;;) {
            int p = 0, q = 1;
            if (std::fabs(m.at[0][2]) > std::fabs(m.at[p][q])) q = 2;
            if (std::fabs(m.at[1][2]) > std::fabs(m.at[p][q])) p = 1, q = 2;
            const double size = std::fabs(m.at[0][0]) + std::fabs(m.at[1][1]) + std::fabs(m.at[2][2]);
            if (std::fabs(m.at[p][q]) <= 1e-12 * size || std::fabs(m.at[p][q]) < 1e-200) break;
            m.rotate(p, q);
        }
        value[0] = m.at[0][0];
        value[1] = m.at[1][1];
        value[2] = m.at[2][2];
        std::sort(value, value + 3, [](double a, double b) { return a > b; });
    }
}
