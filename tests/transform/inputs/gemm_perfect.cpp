// shape: a = m * k
// shape: b = k * n
// shape: c = m * n
// check: m=1,n=1,k=1; m=17,n=33,k=65; m=66,n=70,k=16
void gemm_perfect(long m, long n, long k, const float* a, const float* b, float* c) {
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++)
            for (long p = 0; p < k; p++) c[i * n + j] += a[i * k + p] * b[p * n + j];
}
