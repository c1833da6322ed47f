#include "solver.h"

#include <cmath>

#include "blas1.h"

ConjugateGradients::ConjugateGradients(const CsrMatrix& a)
    : a_(a), d_(a.rows), r_(a.rows), z_(a.rows), p_(a.rows), q_(a.rows) {
  inverse_diagonal(a_, d_);
}

Report ConjugateGradients::solve(const std::vector<double>& b, std::vector<double>& x, int most, double tolerance) {
  const int n = a_.rows;
  multiply(a_, x, q_);
  for (int i = 0; i < n; ++i) r_[i] = b[i] - q_[i];
  hadamard(n, d_.data(), r_.data(), z_.data());
  for (int i = 0; i < n; ++i) p_[i] = z_[i];
  double rho = dot(n, r_.data(), z_.data());
  const double first = std::sqrt(dot(n, r_.data(), r_.data()));
  Report report{0, 1.0};
  while (report.iterations < most) {
    multiply(a_, p_, q_);
    const double alpha = rho / dot(n, p_.data(), q_.data());
    axpy(n, alpha, p_.data(), x.data());
    axpy(n, -alpha, q_.data(), r_.data());
    ++report.iterations;
    report.residual = std::sqrt(dot(n, r_.data(), r_.data())) / first;
    if (report.residual < tolerance) break;
    hadamard(n, d_.data(), r_.data(), z_.data());
    const double next = dot(n, r_.data(), z_.data());
    xpby(n, z_.data(), next / rho, p_.data());
    rho = next;
  }
  return report;
}

void jacobi_sweeps(const CsrMatrix& a, const std::vector<double>& b, std::vector<double>& x, std::vector<double>& next,
                   double damping, int sweeps) {
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (int i = 0; i < a.rows; ++i) {
      double off = 0.0, diagonal = 1.0;
      for (int k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
        if (a.col[k] == i)
          diagonal = a.val[k];
        else
          off += a.val[k] * x[a.col[k]];
      }
      next[i] = (1.0 - damping) * x[i] + damping * (b[i] - off) / diagonal;
    }
    for (int i = 0; i < a.rows; ++i) x[i] = next[i];
  }
}
