#include <cmath>

// log(sum(exp(x))) without overflow: the largest first, then the sum of what is left.
double log_sum_exp(int n, const double* x) {
    double top = x[0];
    for (int i = 1; i < n; i++)
        top = std::fmax(top, x[i]);
    double sum = 0;
    for (int i = n - 1; i >= 0; i--)
        sum += std::exp(x[i] - top);
    return top + std::log(sum);
}
