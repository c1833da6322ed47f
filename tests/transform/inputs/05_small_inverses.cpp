// For each of `count` 3 x 3 matrices M, the inverse of M^T M + I. Symmetric, so that six numbers would do; all nine are written.
void small_inverses(int count, const float* matrices, float* inverses) {
    for (int t = 0; t < count; t++) {
        float m[9], g[3][3];
        for (int e = 0; e < 9; e++) m[e] = matrices[9 * t + e];
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) {
                g[r][c] = r == c ? 1.0f : 0.0f;
                for (int k = 0; k < 3; k++) g[r][c] += m[3 * k + r] * m[3 * k + c];
            }
        }
        const float c00 = g[1][1] * g[2][2] - g[1][2] * g[2][1];
        const float c01 = g[1][2] * g[2][0] - g[1][0] * g[2][2];
        const float c02 = g[1][0] * g[2][1] - g[1][1] * g[2][0];
        const float scale = 1.0f / (g[0][0] * c00 + g[0][1] * c01 + g[0][2] * c02);
        float* out = inverses + 9 * t;
        out[0] = c00 * scale;
        out[1] = (g[0][2] * g[2][1] - g[0][1] * g[2][2]) * scale;
        out[2] = (g[0][1] * g[1][2] - g[0][2] * g[1][1]) * scale;
        out[3] = c01 * scale;
        out[4] = (g[0][0] * g[2][2] - g[0][2] * g[2][0]) * scale;
        out[5] = (g[0][2] * g[1][0] - g[0][0] * g[1][2]) * scale;
        out[6] = c02 * scale;
        out[7] = (g[0][1] * g[2][0] - g[0][0] * g[2][1]) * scale;
        out[8] = (g[0][0] * g[1][1] - g[0][1] * g[1][0]) * scale;
    }
}
