// Electron density on the points of an integration grid, from the values of the basis functions there.
#include <algorithm>
#include <cstddef>
#include <vector>

void electron_density(int points, int basis, const double* phi, const double* matrix, double* density) {
    std::vector<double> mixed(basis);
    for (int p = 0; p < points; ++p, phi += basis) {
        std::fill(mixed.begin(), mixed.end(), 0.0);
        for (int m = 0; m < basis; ++m) {
            const double* row = matrix + (size_t)m * basis;
            for (int n = 0; n < basis; ++n) mixed[n] += phi[m] * row[n];
        }
        density[p] = 0.0;
        for (int n = 0; n < basis; ++n) density[p] += mixed[n] * phi[n];
    }
}
