#include <cmath>
#include <cstdio>

#include "system.h"

/* nbody INPUT: a file with the number of particles, the density, the steps. */
int main(int argc, char** argv)
{
    int n = 0, steps = 0;
    double density = 0;
    std::FILE* in = argc > 1 ? std::fopen(argv[1], "r") : nullptr;
    if (!in || std::fscanf(in, "%d %lf %d", &n, &density, &steps) != 3) {
        std::fprintf(stderr, "usage: nbody INPUT\n");
        return 2;
    }
    std::fclose(in);

    System s(n, std::cbrt(n / density), 2.5);
    fill_lattice(s, 3);
    Cells c(s);
    const double dt = 0.002;
    find_cells(s, c);
    sort_into_cells(s, c);
    forces(s, c);
    std::printf("%5s %16s %16s\n", "step", "kinetic", "potential");
    for (int step = 1; step <= steps; ++step) {
        kick(s, 0.5 * dt);
        drift(s, dt);
        find_cells(s, c);
        sort_into_cells(s, c);
        forces(s, c);
        kick(s, 0.5 * dt);
        if (step % 5 == 0 || step == steps)
            std::printf("%5d %16.8e %16.8e\n", step, kinetic(s), potential(s));
    }
    return 0;
}
