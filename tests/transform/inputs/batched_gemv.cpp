// shape: a = batch * n * m
// shape: x = batch * m
// shape: y = batch * n
// check: batch=1,n=1,m=1; batch=3,n=9,m=40; batch=5,n=2,m=300
void batched_gemv(int batch, int n, int m, const float* a, const float* x, float* y) {
    for (int b = 0; b < batch; b++) {
        const float* matrix = a + b * n * m;
        const float* vector = &x[b * m];
        for (int i = 0; i < n; i++) {
            float s = 0.f;
            for (int j = 0; j < m; j++) s += matrix[i * m + j] * vector[j];
            y[b * n + i] = s;
        }
    }
}
