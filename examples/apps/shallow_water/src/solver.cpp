#include "solver.hpp"

#include <algorithm>
#include <cmath>

namespace swe {

namespace {

inline real velocity(real h, real momentum, real dry) { return h > dry ? momentum / h : 0; }

inline real wave_speed(real h, real momentum, const real gravity, real dry) {
    return std::fabs(velocity(h, momentum, dry)) + std::sqrt(gravity * h);
}

}  // namespace

Solver::Solver(int nx, int ny, real width, const Physics& physics)
    : physics_(physics), dx_(width / nx), h_(nx, ny, 1), hu_(nx, ny), hv_(nx, ny), fh_(nx, ny), fhu_(nx, ny),
      fhv_(nx, ny), gh_(nx, ny), ghu_(nx, ny), ghv_(nx, ny) {}

void Solver::drop(int x, int y, int radius, real height) {
    for (int j = 1; j <= h_.ny(); ++j)
        for (int i = 1; i <= h_.nx(); ++i)
            if ((i - x) * (i - x) + (j - y) * (j - y) <= radius * radius) h_(i, j) += height;
}

void Solver::walls() {
    const int nx = h_.nx(), ny = h_.ny();
    for (int j = 1; j <= ny; ++j) {
        h_(0, j) = h_(1, j);
        hu_(0, j) = -hu_(1, j);
        hv_(0, j) = hv_(1, j);
        h_(nx + 1, j) = h_(nx, j);
        hu_(nx + 1, j) = -hu_(nx, j);
        hv_(nx + 1, j) = hv_(nx, j);
    }
    for (int i = 1; i <= nx; ++i) {
        h_(i, 0) = h_(i, 1);
        hu_(i, 0) = hu_(i, 1);
        hv_(i, 0) = -hv_(i, 1);
        h_(i, ny + 1) = h_(i, ny);
        hu_(i, ny + 1) = hu_(i, ny);
        hv_(i, ny + 1) = -hv_(i, ny);
    }
}

void Solver::fluxes_x() {
    const real g = physics_.gravity, dry = physics_.dry;
    for (int j = 1; j <= h_.ny(); ++j)
        for (int i = 0; i <= h_.nx(); ++i) {
            const real hl = h_(i, j), hr = h_(i + 1, j);
            const real ul = velocity(hl, hu_(i, j), dry), ur = velocity(hr, hu_(i + 1, j), dry);
            const real a = std::max(wave_speed(hl, hu_(i, j), g, dry), wave_speed(hr, hu_(i + 1, j), g, dry));
            fh_(i, j) = 0.5 * (hu_(i, j) + hu_(i + 1, j)) - 0.5 * a * (hr - hl);
            fhu_(i, j) = 0.5 * (hu_(i, j) * ul + 0.5 * g * hl * hl + hu_(i + 1, j) * ur + 0.5 * g * hr * hr) -
                         0.5 * a * (hu_(i + 1, j) - hu_(i, j));
            fhv_(i, j) = 0.5 * (hv_(i, j) * ul + hv_(i + 1, j) * ur) - 0.5 * a * (hv_(i + 1, j) - hv_(i, j));
        }
}

void Solver::fluxes_y() {
    const real g = physics_.gravity, dry = physics_.dry;
    for (int j = 0; j <= h_.ny(); ++j)
        for (int i = 1; i <= h_.nx(); ++i) {
            const real hl = h_(i, j), hr = h_(i, j + 1);
            const real vl = velocity(hl, hv_(i, j), dry), vr = velocity(hr, hv_(i, j + 1), dry);
            const real a = std::max(wave_speed(hl, hv_(i, j), g, dry), wave_speed(hr, hv_(i, j + 1), g, dry));
            gh_(i, j) = 0.5 * (hv_(i, j) + hv_(i, j + 1)) - 0.5 * a * (hr - hl);
            ghv_(i, j) = 0.5 * (hv_(i, j) * vl + 0.5 * g * hl * hl + hv_(i, j + 1) * vr + 0.5 * g * hr * hr) -
                         0.5 * a * (hv_(i, j + 1) - hv_(i, j));
            ghu_(i, j) = 0.5 * (hu_(i, j) * vl + hu_(i, j + 1) * vr) - 0.5 * a * (hu_(i, j + 1) - hu_(i, j));
        }
}

void Solver::update(real dt) {
    const real rate = dt / dx_;
    for (int j = 1; j <= h_.ny(); ++j)
        for (int i = 1; i <= h_.nx(); ++i) {
            h_(i, j) -= rate * (fh_(i, j) - fh_(i - 1, j) + gh_(i, j) - gh_(i, j - 1));
            hu_(i, j) -= rate * (fhu_(i, j) - fhu_(i - 1, j) + ghu_(i, j) - ghu_(i, j - 1));
            hv_(i, j) -= rate * (fhv_(i, j) - fhv_(i - 1, j) + ghv_(i, j) - ghv_(i, j - 1));
        }
}

void Solver::friction(real dt) {
    for (int j = 1; j <= h_.ny(); ++j)
        for (int i = 1; i <= h_.nx(); ++i) {
            const real h = h_(i, j);
            if (h <= physics_.dry) continue;
            const real speed = std::sqrt(hu_(i, j) * hu_(i, j) + hv_(i, j) * hv_(i, j)) / h;
            const real kept = 1 / (1 + dt * physics_.drag * speed / h);
            hu_(i, j) *= kept;
            hv_(i, j) *= kept;
        }
}

real Solver::longest_step(real courant) const {
    real fastest = 1e-12;
    for (int j = 1; j <= h_.ny(); ++j)
        for (int i = 1; i <= h_.nx(); ++i) {
            const real g = physics_.gravity, dry = physics_.dry;
            const real x = wave_speed(h_(i, j), hu_(i, j), g, dry), y = wave_speed(h_(i, j), hv_(i, j), g, dry);
            fastest = std::max(fastest, std::max(x, y));
        }
    return courant * dx_ / fastest;
}

real Solver::volume() const {
    real sum = 0;
    for (int j = 1; j <= h_.ny(); ++j)
        for (int i = 1; i <= h_.nx(); ++i) sum += h_(i, j);
    return sum * dx_ * dx_;
}

void Solver::step(real dt) {
    walls();
    fluxes_x();
    fluxes_y();
    update(dt);
    friction(dt);
}

}  // namespace swe
