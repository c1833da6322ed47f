#ifndef NBODY_SYSTEM_H
#define NBODY_SYSTEM_H

#include <vector>

/* Particles in a periodic box, one array for each quantity. */
struct System {
    int n;
    double box;
    double cutoff;
    std::vector<double> x, y, z;
    std::vector<double> vx, vy, vz;
    std::vector<double> fx, fy, fz;
    std::vector<double> energy;   /* of each particle */

    System(int count, double length, double reach);
};

/* A grid of cells that are at least as wide as the cutoff. */
struct Cells {
    int per_side;
    double width;
    std::vector<int> start;    /* of each cell in order; one more at the end */
    std::vector<int> order;    /* particles, cell by cell */
    std::vector<int> cell_of;  /* each particle's */

    explicit Cells(const System& s);
    int count() const { return per_side * per_side * per_side; }
};

void fill_lattice(System& s, unsigned seed);

void find_cells(const System& s, Cells& c);
void sort_into_cells(const System& s, Cells& c);

void forces(System& s, const Cells& c);

void kick(System& s, double dt);
void drift(System& s, double dt);
double kinetic(const System& s);
double potential(const System& s);

#endif
