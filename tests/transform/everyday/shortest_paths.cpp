// shape: w = n*n
// shape: dist = n
// check: n=1; n=9; n=40
// random: n=1..60
#include <algorithm>

void shortest_paths(const float* w, float* dist, int n) {
    float* next = new float[n];
    for (int i = 0; i < n; i++) dist[i] = i == 0 ? 0.0f : 1e30f;
    for (int round = 0; round < n; round++) {
        for (int v = 0; v < n; v++) {
            float best = dist[v];
            for (int u = 0; u < n; u++) best = std::min(best, dist[u] + 1.5f + w[u * n + v]);
            next[v] = best;
        }
        std::copy(next, next + n, dist);
    }
    delete[] next;
}
