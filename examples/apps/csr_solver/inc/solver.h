#pragma once
#include "csr.h"

struct Report {
  int iterations;
  double residual;
};

// Conjugate gradients with Jacobi's preconditioner.
class ConjugateGradients {
 public:
  explicit ConjugateGradients(const CsrMatrix& a);
  Report solve(const std::vector<double>& b, std::vector<double>& x, int most, double tolerance);

 private:
  const CsrMatrix& a_;
  std::vector<double> d_, r_, z_, p_, q_;
};

// Damped sweeps of Jacobi's method, as a smoother.
void jacobi_sweeps(const CsrMatrix& a, const std::vector<double>& b, std::vector<double>& x, std::vector<double>& next,
                   double damping, int sweeps);
