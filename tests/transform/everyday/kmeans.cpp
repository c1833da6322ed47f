// shape: points = n*d
// shape: centres = k*d
// shape: owner = n
// check: n=3, k=2, d=2; n=40, k=4, d=3
// random: n=4..80, k=1..5, d=1..4
#include <cfloat>
#include <cstdlib>
#include <cstring>

void kmeans(const float* points, float* centres, int* owner, int n, int k, int d) {
    float* sums = (float*)malloc((size_t)k * d * sizeof(float));
    int* counts = (int*)malloc(k * sizeof(int));
    memset(owner, 0, n * sizeof(int));
    int changed = 1;
    for (int it = 0; it < 20 && changed; it++) {
        changed = 0;
        for (int i = 0; i < n; i++) {
            int best = 0;
            float nearest = FLT_MAX;
            for (int c = 0; c < k; c++) {
                float dist = 0.0f;
                for (int j = 0; j < d; j++) {
                    const float diff = points[i * d + j] - centres[c * d + j];
                    dist += diff * diff;
                }
                if (dist < nearest) {
                    nearest = dist;
                    best = c;
                }
            }
            if (owner[i] != best) {
                owner[i] = best;
                changed = 1;
            }
        }
        memset(sums, 0, (size_t)k * d * sizeof(float));
        memset(counts, 0, k * sizeof(int));
        for (int i = 0; i < n; i++) {
            counts[owner[i]]++;
            for (int j = 0; j < d; j++) sums[owner[i] * d + j] += points[i * d + j];
        }
        for (int c = 0; c < k; c++)
            if (counts[c] > 0)
                for (int j = 0; j < d; j++) centres[c * d + j] = sums[c * d + j] / counts[c];
    }
    free(sums);
    free(counts);
}
