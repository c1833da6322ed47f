#include "lattice.hh"

#include <cmath>
#include <fstream>

namespace lb {

bool read_params(const std::string& file, Params& p)
{
    std::ifstream in(file);
    return static_cast<bool>(in >> p.nx >> p.ny >> p.steps >> p.tau >> p.u_in);
}

Lattice::Lattice(const Params& p) : par(p), f(Q * p.nx * p.ny), g(Q * p.nx * p.ny), solid(p.nx * p.ny)
{
    for (int y = 0; y < par.ny; ++y)
        for (int x = 0; x < par.nx; ++x)
            for (int q = 0; q < Q; ++q) {
                const real_t u = par.u_in * (1 + 0.01 * std::sin(0.2 * y));
                const real_t cu = 3 * CX[q] * u;
                f[at(q, x, y)] = W[q] * (1 + cu + 0.5 * cu * cu - 1.5 * u * u);
            }
    g = f;
    for (int x = 0; x < par.nx; ++x) solid[x] = solid[(par.ny - 1) * par.nx + x] = 1;
}

void Lattice::put_cylinder(int cx, int cy, int r)
{
    for (int y = 0; y < par.ny; ++y)
        for (int x = 0; x < par.nx; ++x)
            if ((x - cx) * (x - cx) + (y - cy) * (y - cy) <= r * r) solid[y * par.nx + x] = 1;
}

void Lattice::step()
{
    collide();
    stream();
    bounce();
    inflow();
}

std::vector<real_t> Lattice::speed() const
{
    std::vector<real_t> out(par.nx * par.ny);
    for (int y = 0; y < par.ny; ++y)
        for (int x = 0; x < par.nx; ++x) {
            real_t rho = 0, ux = 0, uy = 0;
            for (int q = 0; q < Q; ++q) {
                const real_t v = f[at(q, x, y)];
                rho += v;
                ux += CX[q] * v;
                uy += CY[q] * v;
            }
            out[y * par.nx + x] = solid[y * par.nx + x] ? 0 : std::sqrt(ux * ux + uy * uy) / rho;
        }
    return out;
}

real_t Lattice::mass() const
{
    real_t sum = 0;
    for (std::size_t i = 0; i < f.size(); ++i) sum += f[i];
    return sum;
}

int Lattice::solid_cells() const
{
    int n = 0;
    for (int s : solid) n += s;
    return n;
}

}  // namespace lb
