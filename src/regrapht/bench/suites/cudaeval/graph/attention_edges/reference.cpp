#include <cmath>
#include <cstdint>

static float scored(float near, float far) {
    const float s = near + far;
    return s < 0.0f ? 0.2f * s : s;
}

void attention_edges(int vertices, int links, const int32_t* row, const int32_t* to, const float* near, const float* far, float* weight) {
    (void)links;
    for (int v = 0; v < vertices; ++v) {
        float most = -INFINITY, sum = 0.0f;
        for (int e = row[v]; e < row[v + 1]; ++e) {
            weight[e] = scored(near[v], far[to[e]]);
            most = std::fmax(most, weight[e]);
        }
        for (int e = row[v]; e < row[v + 1]; ++e) {
            weight[e] = std::exp(weight[e] - most);
            sum += weight[e];
        }
        for (int e = row[v]; e < row[v + 1]; ++e) weight[e] /= sum;
    }
}
