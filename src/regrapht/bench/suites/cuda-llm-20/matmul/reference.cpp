void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
    for (int i = 0; i < m; i++) {
        float* row = c + (long)i * n;
        for (int j = 0; j < n; j++) row[j] = 0.0f;
        for (int l = 0; l < k; l++) {
            const float factor = a[(long)i * k + l];
            for (int j = 0; j < n; j++) row[j] += factor * b[(long)l * n + j];
        }
    }
}
