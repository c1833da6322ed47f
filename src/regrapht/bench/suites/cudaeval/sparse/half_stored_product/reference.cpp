#include <cstdint>

void half_stored_product(int n, int entries, const int32_t *start, const int32_t *column, const int32_t *value, const int32_t *x, int64_t *y, int64_t *energy)
{
    (void)entries;
    for (int r = 0; r < n; r++)
        y[r] = 0;
    for (int r = 0; r < n; r++) {
        for (int k = start[r]; k < start[r + 1]; k++) {
            int c = column[k];
            y[r] += (int64_t)value[k] * x[c];
            if (c != r)
                y[c] += (int64_t)value[k] * x[r];
        }
    }
    *energy = 0;
    for (int r = 0; r < n; r++)
        *energy += x[r] * y[r];
}
