#include <cstdint>
#include <cstring>

// Half precision as 16 bits, as the file format stores it.
typedef _Float16 half_t;

void half_products(int batch, int rows, int inner, int cols, const half_t *a, const half_t *w, const float *bias, half_t *c)
{
    for (long r = 0; r < (long)batch * rows; r++)
        for (int j = 0; j < cols; j++) {
            float sum = bias[j];
            for (int k = 0; k < inner; k++)
                sum += (float)a[r * inner + k] * (float)w[(long)k * cols + j];
            c[r * cols + j] = (half_t)sum;
        }
}
