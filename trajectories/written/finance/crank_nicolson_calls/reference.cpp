// Crank-Nicolson steps with a tridiagonal solve each, option after option.
#include <cmath>
#include <cstddef>
#include <vector>

void crank_nicolson_calls(int options, int nodes, int steps, double rate, const double* strike,
                          const double* volatility, double* value) {
    const double dt = 0.01;
    std::vector<double> ratio(nodes), x(nodes);
    for (int o = 0; o < options; ++o) {
        double* v = value + (size_t)o * nodes;
        const double s2 = volatility[o] * volatility[o];
        for (int j = 0; j < nodes; ++j) v[j] = std::fmax(200.0 * j / (nodes - 1) - strike[o], 0.0);
        v[0] = v[nodes - 1] = 0.0;
        for (int step = 0; step < steps; ++step) {
            ratio[0] = x[0] = 0.0;
            for (int j = 1; j < nodes - 1; ++j) {
                const double a = 0.25 * dt * (s2 * j * j - rate * j), b = -0.5 * dt * (s2 * j * j + rate);
                const double c = 0.25 * dt * (s2 * j * j + rate * j);
                const double right = a * v[j - 1] + (1.0 + b) * v[j] + c * v[j + 1];
                const double pivot = 1.0 - b + a * ratio[j - 1];
                ratio[j] = -c / pivot;
                x[j] = (right + a * x[j - 1]) / pivot;
            }
            for (int j = nodes - 2; j > 0; --j) v[j] = x[j] - ratio[j] * v[j + 1];
        }
    }
}
