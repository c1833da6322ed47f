// shape: data = n * d
// shape: mean = d
// shape: cov = d * d
// check: n=1,d=1; n=30,d=7; n=5,d=37
void covariance_upper(int n, int d, const float* data, float* mean, float* cov) {
    for (int j = 0; j < d; j++) {
        float s = 0.0f;
        for (int i = 0; i < n; i++) s += data[i * d + j];
        mean[j] = s / n;
    }
    for (int p = 0; p < d; p++)
        for (int q = p; q < d; q++) {
            float s = 0.0f;
            for (int i = 0; i < n; i++) s += (data[i * d + p] - mean[p]) * (data[i * d + q] - mean[q]);
            cov[p * d + q] = s / n;
            cov[q * d + p] = s / n;
        }
}
