#include <algorithm>
#include <cmath>

// Places are kept as fractions of the side, so that one file serves every mesh.
struct Particle {
    float x, y, u, v;
};

class Mesh {
public:
    explicit Mesh(int side) : side_(side) {}

    // The cell's lower corner and the weight of its upper side, along one axis.
    void locate(float fraction, int& cell, float& upper) const
    {
        const float at = fraction * side_;
        cell = std::min((int)at, side_ - 1);
        upper = at - cell;
    }
    int index(int row, int col) const { return row % side_ * side_ + col % side_; }

private:
    int side_;
};

static float wrapped(float fraction) { return fraction - std::floor(fraction); }

void mesh_push(int side, int particles, float dt, const float* field, const float* charge, Particle* particle, float* rho)
{
    const Mesh mesh(side);
    std::fill_n(rho, side * side, 0.0f);
    for (int i = 0; i < particles; ++i) {
        Particle& p = particle[i];
        int col, row;
        float wx, wy;
        mesh.locate(p.x, col, wx);
        mesh.locate(p.y, row, wy);
        float force[2];
        for (int c = 0; c < 2; ++c) {
            const float lower = (1 - wx) * field[2 * mesh.index(row, col) + c] + wx * field[2 * mesh.index(row, col + 1) + c];
            const float upper = (1 - wx) * field[2 * mesh.index(row + 1, col) + c] + wx * field[2 * mesh.index(row + 1, col + 1) + c];
            force[c] = (1 - wy) * lower + wy * upper;
        }
        p.u += charge[i] * force[0] * dt;
        p.v += charge[i] * force[1] * dt;
        p.x = wrapped(p.x + p.u * dt / side);
        p.y = wrapped(p.y + p.v * dt / side);
        mesh.locate(p.x, col, wx);
        mesh.locate(p.y, row, wy);
        rho[mesh.index(row, col)] += charge[i] * (1 - wx) * (1 - wy);
        rho[mesh.index(row, col + 1)] += charge[i] * wx * (1 - wy);
        rho[mesh.index(row + 1, col)] += charge[i] * (1 - wx) * wy;
        rho[mesh.index(row + 1, col + 1)] += charge[i] * wx * wy;
    }
}
