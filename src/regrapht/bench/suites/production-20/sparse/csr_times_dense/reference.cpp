#include <cstdint>
#include <cstring>

void csr_times_dense(int rows, int cols, int entries, int width, const int32_t *row_start, const int32_t *column, const float *value, const float *b,
                     float *c)
{
    (void)cols, (void)entries;
    memset(c, 0, sizeof(float) * rows * width);
    for (int r = 0; r < rows; r++)
        for (int k = row_start[r]; k < row_start[r + 1]; k++) {
            const float *from = b + (long)column[k] * width;
            float *to = c + (long)r * width;
            for (int j = 0; j < width; j++)
                to[j] += value[k] * from[j];
        }
}
