// Leapfrog integration of the 1-D wave equation with fixed ends.
#include <utility>
#include <vector>

void wave1d(int n, int steps, float courant2, float* u, float* previous) {
    std::vector<float> next(n);
    for (int step = 0; step < steps; ++step) {
        next[0] = u[0];
        next[n - 1] = u[n - 1];
        for (int i = 1; i < n - 1; ++i) {
            next[i] = 2.0f * u[i] - previous[i] + courant2 * (u[i - 1] - 2.0f * u[i] + u[i + 1]);
        }
        for (int i = 0; i < n; ++i) {
            previous[i] = u[i];
            u[i] = next[i];
        }
    }
}
