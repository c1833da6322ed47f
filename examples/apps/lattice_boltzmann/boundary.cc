#include "lattice.hh"

namespace lb {

// Walls send everything back to where it came from.
void Lattice::bounce()
{
    const int nx = par.nx, ny = par.ny;
    for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) {
            if (!solid[y * nx + x]) continue;
            real_t back[Q];
            for (int q = 0; q < Q; ++q) back[q] = f[at(OPPOSITE[q], x, y)];
            for (int q = 0; q < Q; ++q) f[at(q, x, y)] = back[q];
        }
}

void Lattice::inflow()
{
    const real_t u = par.u_in;
    for (int y = 1; y < par.ny - 1; ++y)
        for (int q = 0; q < Q; ++q) {
            const real_t cu = 3 * CX[q] * u;
            f[at(q, 0, y)] = W[q] * (1 + cu + 0.5 * cu * cu - 1.5 * u * u);
        }
}

}  // namespace lb
