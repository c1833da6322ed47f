#include "blas1.h"

#include <cmath>

double dot(int n, const double* x, const double* y) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

void axpy(int n, double alpha, const double* x, double* y) {
  for (int i = 0; i < n; ++i) y[i] += alpha * x[i];
}

void xpby(int n, const double* x, double beta, double* y) {
  for (int i = 0; i < n; ++i) y[i] = x[i] + beta * y[i];
}

void hadamard(int n, const double* x, const double* y, double* z) {
  for (int i = 0; i < n; ++i) z[i] = x[i] * y[i];
}

double max_norm(int n, const double* x) {
  double most = 0.0;
  for (int i = 0; i < n; ++i) most = std::fmax(most, std::fabs(x[i]));
  return most;
}
