// shape: x = n
// shape: y = n
// check: n=1; n=40; n=130
double monte_carlo_pairs(int n, const double* x, const double* y) {
    double energy = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            const double dx = x[i] - x[j], dy = y[i] - y[j];
            energy += 1.0 / (dx * dx + dy * dy + 0.5);
        }
    return energy;
}
