// shape: x = n
// shape: y = n
// check: n=1; n=700
#include <cstddef>
const int DEGREE = 5;
const double coefficients[6] = {1.0, -0.5, 0.25, 2.0, 0.125, -1.5};

void polynomial_horner(size_t n, const double* x, double* y) {
    for (size_t i = 0; i < n; i++) {
        double p = coefficients[DEGREE];
        for (int k = DEGREE - 1; k >= 0; k--) p = p * x[i] + coefficients[k];
        y[i] = p;
    }
}
