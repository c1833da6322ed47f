#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "blas1.h"
#include "csr.h"
#include "solver.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s INPUT   (a file with: grid, contrast, sweeps, iterations)\n", argv[0]);
    return EXIT_FAILURE;
  }
  int m, sweeps, most;
  double contrast;
  std::ifstream in(argv[1]);
  if (!(in >> m >> contrast >> sweeps >> most)) {
    std::fprintf(stderr, "%s: cannot read it\n", argv[1]);
    return EXIT_FAILURE;
  }
  const CsrMatrix a = poisson(m, contrast);
  std::vector<double> b(a.rows), x(a.rows), next(a.rows);
  for (int i = 0; i < a.rows; ++i) b[i] = (i % 17 - 8) / 16.0;
  jacobi_sweeps(a, b, x, next, 0.8, sweeps);
  std::printf("after %d sweeps: largest x %.6e\n", sweeps, max_norm(a.rows, x.data()));
  ConjugateGradients solver(a);
  const Report report = solver.solve(b, x, most, 1e-300);
  std::printf("after %d iterations: largest x %.6e\n", report.iterations, max_norm(a.rows, x.data()));
  return EXIT_SUCCESS;
}
