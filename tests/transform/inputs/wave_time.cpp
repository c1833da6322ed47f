// shape: p0 = n * n
// shape: p1 = n * n
// shape: p2 = n * n
// check: n=3,steps=2; n=20,steps=3; n=2,steps=1
void wave_time(int n, int steps, float* p0, float* p1, float* p2) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                p2[i * n + j] = 2.0f * p1[i * n + j] - p0[i * n + j] + 0.1f * (p1[(i - 1) * n + j] + p1[(i + 1) * n + j] +
                                p1[i * n + j - 1] + p1[i * n + j + 1] - 4.0f * p1[i * n + j]);
        for (int i = 0; i < n * n; i++) {
            p0[i] = p1[i];
            p1[i] = p2[i];
        }
    }
}
