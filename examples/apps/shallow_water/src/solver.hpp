#pragma once

#include "grid.hpp"

namespace swe {

/// Depth and the two momenta of shallow water in a basin with walls, by Rusanov's fluxes.
class Solver {
public:
    Solver(int nx, int ny, real width, const Physics& physics);

    void drop(int x, int y, int radius, real height);
    void step(real dt);
    real longest_step(real courant) const;
    real volume() const;
    const Field& depth() const { return h_; }

private:
    void walls();
    void fluxes_x();
    void fluxes_y();
    void update(real dt);
    void friction(real dt);

    Physics physics_;
    real dx_;
    Field h_, hu_, hv_;
    Field fh_, fhu_, fhv_, gh_, ghu_, ghv_;
};

}  // namespace swe
