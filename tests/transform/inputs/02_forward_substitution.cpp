// Solves L X = B for several right-hand sides in place; L is lower triangular with its diagonal given apart, as reciprocals.
void forward_substitution(int n, int rhs, const float* lower, const float* inverse_diagonal, float* x) {
    for (int r = 0; r < rhs; r++) {
        for (int i = 0; i < n; i++) {
            float rest = x[i * rhs + r];
            for (int j = 0; j < i; j++)
                rest -= lower[i * n + j] * x[j * rhs + r];
            x[i * rhs + r] = rest * inverse_diagonal[i];
        }
    }
}
