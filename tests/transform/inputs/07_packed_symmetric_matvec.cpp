// y = A x for a symmetric matrix of which the lower triangle is stored row by row without gaps.
void packed_symmetric_matvec(int n, const float* packed, const float* x, float* y) {
    for (int i = 0; i < n; ++i) {
        float total = 0.0f;
        for (int j = 0; j < n; ++j) {
            if (j <= i)
                total += packed[i * (i + 1) / 2 + j] * x[j];
            else
                total += packed[j * (j + 1) / 2 + i] * x[j];
        }
        y[i] = total;
    }
}
