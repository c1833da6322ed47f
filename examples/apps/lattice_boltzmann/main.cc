#include "lattice.hh"

#include <algorithm>
#include <iomanip>
#include <iostream>

int main(int argc, char* argv[])
{
    lb::Params p;
    if (argc != 2 || !lb::read_params(argv[1], p)) {
        std::cerr << "usage: lattice_boltzmann INPUT   (nx ny steps tau u)\n";
        return 2;
    }
    lb::Lattice lattice(p);
    lattice.put_cylinder(p.nx / 4, p.ny / 2, p.ny / 9);
    for (int t = 0; t < p.steps; ++t) lattice.step();
    const std::vector<double> u = lattice.speed();
    std::cout << std::setprecision(9) << "solid " << lattice.solid_cells() << "\nmass " << lattice.mass() << "\nfastest "
              << *std::max_element(u.begin(), u.end()) << "\n";
    for (int y = 0; y < p.ny; y += std::max(1, p.ny / 6)) std::cout << u[y * p.nx + p.nx / 2] << "\n";
}
