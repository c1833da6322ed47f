// shape: p = n * d
// shape: q = m * d
// shape: dist = n * m
// check: n=1,m=1,d=1; n=17,m=40,d=3; n=33,m=20,d=19
void distance_matrix(int n, int m, int d, const float* p, const float* q, float* dist) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0.0f;
            for (int k = 0; k < d; k++) {
                const float t = p[i * d + k] - q[j * d + k];
                s = s + t * t;
            }
            dist[i * m + j] = s;
        }
}
