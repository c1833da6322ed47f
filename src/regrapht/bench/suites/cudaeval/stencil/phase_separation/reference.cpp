#include <cstddef>
#include <vector>

namespace {

class Torus {
public:
    Torus(int n, const double* value) : n_(n), value_(value) {}

    double laplacian(int i, int j) const
    {
        return at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1) - 4.0 * at(i, j);
    }
    double at(int i, int j) const { return value_[(size_t)((i + n_) % n_) * n_ + (j + n_) % n_]; }

private:
    int n_;
    const double* value_;
};

}  // namespace

void phase_separation(int n, int steps, double gamma, double dt, double* u, double* energy)
{
    std::vector<double> mu((size_t)n * n);
    for (int s = 0; s < steps; ++s) {
        const Torus field(n, u), potential(n, mu.data());
        energy[s] = 0.0;
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                const double v = field.at(i, j);
                energy[s] += 0.25 * (v * v - 1.0) * (v * v - 1.0);
                mu[(size_t)i * n + j] = v * v * v - v - gamma * field.laplacian(i, j);
            }
        }
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) u[(size_t)i * n + j] += dt * potential.laplacian(i, j);
    }
}
