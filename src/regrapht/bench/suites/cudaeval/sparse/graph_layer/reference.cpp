#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

constexpr int kFeatures = 64;
using Features = std::array<float, kFeatures>;

struct Graph {
    const int32_t *first, *neighbour;
    const float* weight;
};

// What a node takes from its neighbours; negative values become 0.
static Features gathered(const Graph& graph, int node, const Features* x, const Features& bias) {
    Features sum = bias;
    for (int32_t e = graph.first[node]; e != graph.first[node + 1]; ++e) {
        const Features& from = x[graph.neighbour[e]];
        for (int f = 0; f < kFeatures; ++f) sum[f] += graph.weight[e] * from[f];
    }
    for (float& value : sum) value = std::max(value, 0.0f);
    return sum;
}

void graph_layer(int nodes, int edges, const int32_t* first, const int32_t* neighbour, const float* weight, const float* x,
                 const float* bias, const float* gain, float* out, float* mean) {
    (void)edges;
    const Graph graph{first, neighbour, weight};
    Features* rows = reinterpret_cast<Features*>(out);
    std::array<double, kFeatures> total{}, spread{};
    for (int v = 0; v < nodes; ++v) {
        rows[v] = gathered(graph, v, reinterpret_cast<const Features*>(x), *reinterpret_cast<const Features*>(bias));
        for (int f = 0; f < kFeatures; ++f) total[f] += rows[v][f];
    }
    for (int f = 0; f < kFeatures; ++f) mean[f] = (float)(total[f] / nodes);
    for (int v = 0; v < nodes; ++v)
        for (int f = 0; f < kFeatures; ++f) spread[f] += (double)(rows[v][f] - mean[f]) * (rows[v][f] - mean[f]);
    for (int v = 0; v < nodes; ++v)
        for (int f = 0; f < kFeatures; ++f)
            rows[v][f] = (rows[v][f] - mean[f]) * (gain[f] / (float)std::sqrt(spread[f] / nodes + 1e-3));
}
