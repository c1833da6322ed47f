#include <cmath>

// Divides every row of a CSR matrix by its Euclidean length, in place; rows that are empty or all zero stay as they are.
void csr_row_normalise(int rows, int nnz, const int* start, float* values) {
    (void)nnz;
    int row = 0;
    while (row < rows) {
        float squares = 0.0f;
        for (int p = start[row]; p < start[row + 1]; ++p)
            squares += values[p] * values[p];
        if (squares > 0.0f) {
            float inverse = 1.0f / std::sqrt(squares);
            for (int p = start[row]; p < start[row + 1]; ++p)
                values[p] *= inverse;
        }
        ++row;
    }
}
