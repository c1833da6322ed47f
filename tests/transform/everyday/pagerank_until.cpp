// shape: cols = n*degree
// shape: rank = n
// init: cols = ints(0, n)
// check: n=5, degree=2; n=40, degree=3
// random: n=1..60, degree=1..5
#include <cmath>
#include <utility>
#include <vector>

void pagerank_until(const int* cols, double* rank, int n, int degree) {
    std::vector<double> old(n, 1.0 / n), now(n);
    double change = 1.0;
    for (int it = 0; it < 50 && change > 1e-6; ++it) {
        change = 0.0;
        for (int i = 0; i < n; ++i) {
            double sum = 0.0;
            for (int k = 0; k < degree; ++k) sum += old[cols[i * degree + k]];
            now[i] = 0.15 / n + 0.85 / degree * sum;
            change += std::fabs(now[i] - old[i]);
        }
        std::swap(old, now);
    }
    for (int i = 0; i < n; ++i) rank[i] = old[i];
}
