// Red-black SOR sweeps for a pressure equation with variable conductances and solid cells.
#include <cstddef>

void redblack_pressure(int nx, int ny, int sweeps, double omega, const double* kx, const double* ky, const double* rhs,
                       const unsigned char* solid, double* p) {
    const size_t row = nx;
    for (int half = 0; half < 2 * sweeps; ++half) {
        for (int j = 1; j < ny - 1; ++j) {
            int first = 1 + (1 + j + half) % 2;
            for (int i = first; i < nx - 1; i += 2) {
                size_t c = j * row + i;
                if (solid[c]) continue;
                double total = kx[c] + kx[c - 1] + ky[c] + ky[c - row];
                double inflow = kx[c] * p[c + 1] + kx[c - 1] * p[c - 1] + ky[c] * p[c + row] + ky[c - row] * p[c - row];
                p[c] += omega * ((inflow - rhs[c]) / total - p[c]);
            }
        }
    }
}
