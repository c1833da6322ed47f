// Delta-gamma revaluation of a portfolio under scenarios.
#include <cstddef>

void scenario_pnl(int positions, int factors, int scenarios, const int* factor, const double* delta,
                  const double* gamma, const double* shock, double* pnl) {
    for (int s = 0; s < scenarios; ++s) {
        const double* moves = shock + (size_t)s * factors;
        double total = 0.0;
        for (int i = 0; i < positions; ++i) {
            const double m = moves[factor[i]];
            total += delta[i] * m + 0.5 * gamma[i] * m * m;
        }
        pnl[s] = total;
    }
}
