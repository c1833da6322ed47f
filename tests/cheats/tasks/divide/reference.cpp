void divide(int n, const float* x, const float* y, float* z) {
    for (int i = 0; i < n; ++i) z[i] = x[i] / y[i];
}
