// shape: returns = n*m
// shape: risk = m
// check: n=5, m=2
// random: n=1..50, m=1..9
// refused: line 12: 'std::sort' sorts
#include <algorithm>
#include <vector>
void value_at_risk(const double* returns, double* risk, int n, int m) {
    for (int a = 0; a < m; a++) {
        std::vector<double> one(n);
        for (int i = 0; i < n; i++) one[i] = returns[i * m + a];
        std::sort(one.begin(), one.end());
        risk[a] = -one[n / 20];
    }
}
