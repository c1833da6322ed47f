void lower_solve(int n, int columns, const float* l, float* b)
{
    const float scale = 1.0f / n;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < columns; ++j) {
            float sum = b[(long)i * columns + j];
            for (int k = 0; k < i; ++k) sum -= scale * l[(long)i * n + k] * b[(long)k * columns + j];
            b[(long)i * columns + j] = sum;
        }
}
