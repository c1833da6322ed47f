// shape: spot = n
// shape: strike = n
// shape: years = n
// shape: call = n
// shape: put = n
// init: years = ints(1, 4)
// init: spot = ints(5, 30)
// init: strike = ints(1, 100)
// check: n=1; n=300
#include <cmath>
static inline double cdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }

void black_scholes(int n, double rate, const double* spot, const double* strike, const double* years, double* call, double* put) {
    const double r = rate * 0.01;
    const double sigma = 0.2;
    for (int i = 0; i < n; i++) {
        double root = sqrt(years[i]);
        double d1 = (log(spot[i] / strike[i]) + (r + 0.5 * sigma * sigma) * years[i]) / (sigma * root);
        double d2 = d1 - sigma * root;
        double discounted = strike[i] * exp(-r * years[i]);
        call[i] = spot[i] * cdf(d1) - discounted * cdf(d2);
        put[i] = discounted * cdf(-d2) - spot[i] * cdf(-d1);
    }
}
