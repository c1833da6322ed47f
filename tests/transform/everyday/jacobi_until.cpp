// shape: f = n*n
// shape: u = n*n
// check: n=3, most=1; n=9, most=7; n=24, most=40
// random: n=3..30, most=1..30
#include <cmath>
#include <cstdlib>
#include <cstring>

int jacobi_until(const float* f, float* u, int n, int most) {
    float* next = (float*)malloc(sizeof(float) * n * n);
    memcpy(next, u, sizeof(float) * n * n);
    float err = 1e30f;
    int it = 0;
    while (err > 1e-3f && it < most) {
        err = 0.0f;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                const float v = 0.25f * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] - f[i * n + j]);
                const float d = fabsf(v - u[i * n + j]);
                if (d > err) err = d;
                next[i * n + j] = v;
            }
        memcpy(u, next, sizeof(float) * n * n);
        it++;
    }
    free(next);
    return it;
}
