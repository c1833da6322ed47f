#include <algorithm>
#include <cmath>
#include <cstdint>

namespace fem {

struct Csr {
    const int32_t* start;
    const int32_t* column;
    float* value;

    void add(int row, int col, float what)
    {
        for (int at = start[row]; at < start[row + 1]; ++at) {
            if (column[at] == col) {
                value[at] += what;
                return;
            }
        }
    }
};

}  // namespace fem

void triangle_stiffness(int nodes, int triangles, int entries, const int32_t* row_start, const int32_t* column, const int32_t* corner,
                        const float* x, const float* y, const float* k, const float* source, float* value, float* load)
{
    fem::Csr matrix{row_start, column, value};
    std::fill_n(value, entries, 0.0f);
    std::fill_n(load, nodes, 0.0f);
    for (int t = 0; t < triangles; ++t) {
        const int32_t* n = corner + 3 * t;
        float ex[3], ey[3];
        for (int i = 0; i < 3; ++i) {
            const int a = n[(i + 1) % 3], b = n[(i + 2) % 3];
            ex[i] = x[b] - x[a];
            ey[i] = y[b] - y[a];
        }
        const float area = 0.5f * std::fabs(ex[0] * ey[1] - ex[1] * ey[0]);
        if (area < 1e-3f) continue;
        for (int i = 0; i < 3; ++i) {
            load[n[i]] += area / 3.0f * source[t];
            for (int j = 0; j < 3; ++j) matrix.add(n[i], n[j], k[t] * (ex[i] * ex[j] + ey[i] * ey[j]) / (4.0f * area));
        }
    }
}
