// shape: a = m * lda
// shape: b = k * n
// shape: c = m * n
// check: m=1,n=1,k=1,lda=1; m=17,n=33,k=20,lda=25; m=40,n=70,k=5,lda=5
// require: k <= lda
void gemm_strided_ld(int m, int n, int k, int lda, float alpha, const float* a, const float* b, float* c) {
    for (int row = 0; row < m; ++row)
        for (int col = 0; col < n; ++col) {
            double total = 0;
            for (int p = 0; p < k; ++p) total += a[row * lda + p] * b[p * n + col];
            c[row * n + col] = alpha * static_cast<float>(total);
        }
}
