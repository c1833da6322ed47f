// Bottleneck (max-min) relaxation over an edge list, several sources side by side.
#include <algorithm>
#include <cstddef>
#include <vector>

void bottleneck_rounds(int vertices, int edges, int sources, int rounds, const int* tail, const int* head,
                       const int* capacity, int* width) {
    std::vector<int> before;
    while (rounds-- > 0) {
        before.assign(width, width + (size_t)vertices * sources);
        for (int e = 0; e < edges; ++e) {
            const int* from = before.data() + (size_t)tail[e] * sources;
            int* to = width + (size_t)head[e] * sources;
            for (int s = 0; s < sources; ++s) to[s] = std::max(to[s], std::min(from[s], capacity[e]));
        }
    }
}
