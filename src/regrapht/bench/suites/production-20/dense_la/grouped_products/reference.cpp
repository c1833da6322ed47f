#include <cstddef>
#include <cstdint>
#include <cstring>

static void gemm(int m, int n, int k, const float* a, const float* b, float* c)
{
    for (int i = 0; i < m; i++)
        for (int p = 0; p < k; p++)
            for (int j = 0; j < n; j++) c[(size_t)i * n + j] += a[(size_t)i * k + p] * b[(size_t)p * n + j];
}

void grouped_products(int groups, int rows, int inner, int cols, const int32_t* start, const float* a, const float* w, float* c)
{
    memset(c, 0, sizeof(float) * rows * cols);
    for (int g = 0; g < groups; g++) {
        const int begin = start[g], end = g + 1 < groups ? start[g + 1] : rows;
        if (begin < end)
            gemm(end - begin, cols, inner, a + (size_t)begin * inner, w + (size_t)g * inner * cols, c + (size_t)begin * cols);
    }
}
