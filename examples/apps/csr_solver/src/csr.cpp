#include "csr.h"

#include <cmath>

static double coefficient(int i, int j, double contrast) {
  return 1.0 + contrast * (0.5 + 0.5 * std::sin(0.37 * i) * std::cos(0.23 * j));
}

CsrMatrix poisson(int m, double contrast) {
  CsrMatrix a;
  a.rows = m * m;
  a.row_ptr.push_back(0);
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < m; ++i) {
      const double south = coefficient(2 * i, 2 * j - 1, contrast), north = coefficient(2 * i, 2 * j + 1, contrast);
      const double west = coefficient(2 * i - 1, 2 * j, contrast), east = coefficient(2 * i + 1, 2 * j, contrast);
      if (j > 0) {
        a.col.push_back((j - 1) * m + i);
        a.val.push_back(-south);
      }
      if (i > 0) {
        a.col.push_back(j * m + i - 1);
        a.val.push_back(-west);
      }
      a.col.push_back(j * m + i);
      a.val.push_back(south + north + west + east);
      if (i < m - 1) {
        a.col.push_back(j * m + i + 1);
        a.val.push_back(-east);
      }
      if (j < m - 1) {
        a.col.push_back((j + 1) * m + i);
        a.val.push_back(-north);
      }
      a.row_ptr.push_back(static_cast<int>(a.col.size()));
    }
  }
  return a;
}

void multiply(const CsrMatrix& a, const std::vector<double>& x, std::vector<double>& y) {
  for (int i = 0; i < a.rows; ++i) {
    double sum = 0.0;
    for (int k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) sum += a.val[k] * x[a.col[k]];
    y[i] = sum;
  }
}

void inverse_diagonal(const CsrMatrix& a, std::vector<double>& d) {
  for (int i = 0; i < a.rows; ++i) {
    d[i] = 1.0;
    for (int k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
      if (a.col[k] == i) d[i] = 1.0 / a.val[k];
  }
}
