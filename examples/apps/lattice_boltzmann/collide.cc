#include "lattice.hh"

namespace lb {

// Every population relaxes towards the equilibrium of its cell.
void Lattice::collide()
{
    const real_t omega = 1 / par.tau;
    const int nx = par.nx, ny = par.ny;
    for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) {
            real_t rho = 0, ux = 0, uy = 0;
            for (int q = 0; q < Q; ++q) {
                const real_t v = f[(q * ny + y) * nx + x];
                rho += v;
                ux += CX[q] * v;
                uy += CY[q] * v;
            }
            ux /= rho;
            uy /= rho;
            const real_t uu = 1.5 * (ux * ux + uy * uy);
            for (int q = 0; q < Q; ++q) {
                const real_t cu = 3 * (CX[q] * ux + CY[q] * uy);
                const real_t eq = W[q] * rho * (1 + cu + 0.5 * cu * cu - uu);
                g[(q * ny + y) * nx + x] = f[(q * ny + y) * nx + x] + omega * (eq - f[(q * ny + y) * nx + x]);
            }
        }
}

// Pull: each cell takes what moves towards it; the box is periodic in x.
void Lattice::stream()
{
    const int nx = par.nx, ny = par.ny;
    for (int q = 0; q < Q; ++q)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) {
                const int sx = (x - CX[q] + nx) % nx;
                const int sy = (y - CY[q] + ny) % ny;
                f[(q * ny + y) * nx + x] = g[(q * ny + sy) * nx + sx];
            }
}

}  // namespace lb
