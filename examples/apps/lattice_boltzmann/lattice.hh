#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace lb {

typedef double real_t;

enum { Q = 9 };

// Velocities and weights of D2Q9.
static const int CX[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int CY[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int OPPOSITE[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const real_t W[Q] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

struct Params {
    int nx, ny, steps;
    real_t tau;    // relaxation
    real_t u_in;   // at the left side
};

class Lattice {
public:
    explicit Lattice(const Params& p);

    void put_cylinder(int x, int y, int r);
    void step();

    std::vector<real_t> speed() const;
    real_t mass() const;
    int solid_cells() const;

private:
    void collide();
    void stream();
    void bounce();
    void inflow();

    int at(int q, int x, int y) const { return (q * par.ny + y) * par.nx + x; }

    Params par;
    std::vector<real_t> f, g;     // populations and what they become
    std::vector<int> solid;
};

bool read_params(const std::string& file, Params& p);

}  // namespace lb
