// shape: u = n*n
// check: n=2, steps=1; n=9, steps=4; n=30, steps=7
// random: n=2..40, steps=0..9
#include <algorithm>
#include <cstdlib>

void heat_swap(float* u, int n, int steps) {
    float* scratch = (float*)malloc(sizeof *scratch * n * n);
    float *now = u, *next = scratch;
    std::copy(u, u + n * n, scratch);
    for (int t = 0; t < steps; ++t) {
        for (int i = 1; i < n - 1; ++i)
            for (int j = 1; j < n - 1; ++j)
                next[i * n + j] = now[i * n + j] + 0.1f * (now[(i - 1) * n + j] + now[(i + 1) * n + j] + now[i * n + j - 1] + now[i * n + j + 1] - 4 * now[i * n + j]);
        float* kept = now;
        now = next;
        next = kept;
    }
    if (now != u) std::copy(now, now + n * n, u);
    free(scratch);
}
