void matrix_copy(int n, const float* in, float* out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) out[(long)i * n + j] = in[(long)i * n + j];
}
