#include "solver.hpp"

#include <cstdio>
#include <fstream>

/// Usage: shallow_water INPUT, a file with: cells in x, cells in y, steps.
int main(int count, char** words) {
    int nx = 0, ny = 0, steps = 0;
    std::ifstream input(count > 1 ? words[1] : "");
    if (!(input >> nx >> ny >> steps)) {
        std::fprintf(stderr, "usage: shallow_water INPUT\n");
        return 2;
    }
    swe::Solver solver(nx, ny, 10.0, swe::Physics{});
    solver.drop(nx / 3, ny / 2, nx / 8, 0.5);
    double time = 0;
    for (int n = 0; n < steps; ++n) {
        const double dt = solver.longest_step(0.4);
        solver.step(dt);
        time += dt;
    }
    std::printf("time %.6f volume %.6f centre %.6f\n", time, solver.volume(), solver.depth()(nx / 2, ny / 2));
}
