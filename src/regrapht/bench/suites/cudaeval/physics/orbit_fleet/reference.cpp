#include <array>
#include <cmath>

namespace orbit {

constexpr double kMu = 398600.4418, kRadius = 6378.137, kJ2 = 1.08262668e-3;
using State = std::array<double, 6>;

State derivative(const State& s)
{
    const double x = s[0], y = s[1], z = s[2];
    const double r2 = x * x + y * y + z * z, r = std::sqrt(r2);
    const double central = -kMu / (r2 * r), flat = 1.5 * kJ2 * kMu * kRadius * kRadius / (r2 * r2 * r), ratio = 5.0 * z * z / r2;
    return {s[3], s[4], s[5], x * (central + flat * (ratio - 1)), y * (central + flat * (ratio - 1)), z * (central + flat * (ratio - 3))};
}

State moved(const State& s, const State& d, double h)
{
    State out;
    for (int i = 0; i < 6; ++i) out[i] = s[i] + h * d[i];
    return out;
}

}  // namespace orbit

void orbit_fleet(int satellites, int steps, double dt, double* place, double* speed)
{
    using namespace orbit;
    for (int k = 0; k < satellites; ++k, place += 3, speed += 3) {
        State s{place[0], place[1], place[2], speed[0], speed[1], speed[2]};
        for (int n = 0; n < steps; ++n) {
            const State k1 = derivative(s), k2 = derivative(moved(s, k1, dt / 2)), k3 = derivative(moved(s, k2, dt / 2));
            const State k4 = derivative(moved(s, k3, dt));
            for (int i = 0; i < 6; ++i) s[i] += dt / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
        }
        for (int i = 0; i < 3; ++i) {
            place[i] = s[i];
            speed[i] = s[3 + i];
        }
    }
}
