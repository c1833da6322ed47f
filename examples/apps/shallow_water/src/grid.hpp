#pragma once

#include <cstddef>
#include <vector>

namespace swe {

using real = double;

/// Cells of one quantity, row by row, with one ring of cells around them.
class Field {
public:
    Field(int nx, int ny, real value = 0) : nx_(nx), ny_(ny), cells_((nx + 2) * (ny + 2), value) {}
    int nx() const { return nx_; }
    int ny() const { return ny_; }
    real& operator()(int i, int j) { return cells_[j * (nx_ + 2) + i]; }
    real operator()(int i, int j) const { return cells_[j * (nx_ + 2) + i]; }
    const std::vector<real>& cells() const { return cells_; }

private:
    int nx_, ny_;
    std::vector<real> cells_;
};

struct Physics {
    real gravity = 9.81;
    real drag = 0.002;
    real dry = 1e-8;
};

}  // namespace swe
