void transpose(int n, const float* in, float* out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) out[(long)j * n + i] = in[(long)i * n + j];
}
