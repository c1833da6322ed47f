// Bilinear deposition of sorted particles on the nodes of a periodic mesh.
#include <cstddef>

void cic_deposit(int ny, int nx, int particles, const int* cell_start, const float* fx, const float* fy,
                 const float* charge, float* density) {
    (void)particles;
    for (size_t node = 0; node < (size_t)ny * nx; ++node) density[node] = 0.0f;
    for (int cell = 0; cell < ny * nx; ++cell) {
        int y = cell / nx, x = cell % nx, y1 = y + 1 < ny ? y + 1 : 0, x1 = x + 1 < nx ? x + 1 : 0;
        float *low = density + (size_t)y * nx, *high = density + (size_t)y1 * nx;
        for (int p = cell_start[cell]; p < cell_start[cell + 1]; ++p) {
            float upper = charge[p] * fy[p], lower = charge[p] - upper;
            low[x] += lower * (1.0f - fx[p]);
            low[x1] += lower * fx[p];
            high[x] += upper * (1.0f - fx[p]);
            high[x1] += upper * fx[p];
        }
    }
}
