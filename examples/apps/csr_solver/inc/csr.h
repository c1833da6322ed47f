#pragma once
#include <vector>

// A square matrix by compressed rows.
struct CsrMatrix {
  int rows = 0;
  std::vector<int> row_ptr;
  std::vector<int> col;
  std::vector<double> val;
};

// The five-point operator with varying coefficients on an m x m grid.
CsrMatrix poisson(int m, double contrast);

// y = A x
void multiply(const CsrMatrix& a, const std::vector<double>& x, std::vector<double>& y);

// What stands on the diagonal, inverted.
void inverse_diagonal(const CsrMatrix& a, std::vector<double>& d);
