#include <cstdint>

// y = A x for a sparse matrix given as (row, column, value) triples in no order; whole numbers, so that the order does not matter.
void coo_matvec(int64_t nnz, int64_t n, const int32_t* row, const int32_t* col, const int32_t* val, const int32_t* x, int64_t* y)
{
    for (int64_t i = 0; i < n; ++i)
        y[i] = 0;
    for (int64_t e = 0; e < nnz; ++e)
        y[row[e]] += (int64_t)val[e] * x[col[e]];
}
