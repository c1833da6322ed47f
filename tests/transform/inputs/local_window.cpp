// shape: a = n * m
// shape: out = n
// check: n=1,m=4; n=70,m=9
void local_window(int n, int m, const float* a, float* out) {
    for (int i = 0; i < n; i++) {
        float w[4];
        for (int k = 0; k < 4; k++) w[k] = 0.0f;
        for (int j = 0; j < m; j++) w[j % 4] += a[i * m + j];
        float best = w[0];
        for (int k = 1; k < 4; k++) best = w[k] > best ? w[k] : best;
        out[i] = best;
    }
}
