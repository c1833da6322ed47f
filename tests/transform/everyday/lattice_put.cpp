// shape: price = n
// shape: strikes = n
// one thread: 18
// check: n=1, steps=1; n=7, steps=20; n=40, steps=33
// random: n=1..60, steps=1..50
#include <cmath>
#include <cstdlib>

void lattice_put(const double* strikes, double* price, int n, int steps) {
    const double up = 1.02, down = 1.0 / up, p = 0.52, discount = 0.999;
    for (int o = 0; o < n; o++) {
        double* value = (double*)malloc((steps + 1) * sizeof(double));
        if (value == NULL) return;
        for (int j = 0; j <= steps; j++) {
            const double s = std::pow(up, steps - j) * std::pow(down, j);
            value[j] = s < strikes[o] ? strikes[o] - s : 0.0;
        }
        for (int t = steps - 1; t >= 0; t--)
            for (int j = 0; j <= t; j++) value[j] = discount * (p * value[j] + (1 - p) * value[j + 1]);
        price[o] = value[0];
        free(value);
    }
}
