// shape: l = n * n
// shape: x = n
// shape: y = n
// check: n=1; n=2; n=33; n=70
void triangular_product(int n, const double* l, const double* x, double* y) {
    for (int i = n - 1; i >= 0; i--) {
        double s = 0.0;
        for (int j = 0; j <= i; j++) s += l[i * n + j] * x[j];
        y[i] = s;
    }
}
