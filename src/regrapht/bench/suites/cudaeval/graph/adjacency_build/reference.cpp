#include <algorithm>
#include <cstdint>
#include <vector>

struct Link {
    int32_t from, to;
};

void adjacency_build(int nodes, int links, const Link* link, int32_t* start, int32_t* row, int32_t* total) {
    std::vector<int32_t> begin(nodes + 1, 0), bag(links);
    for (const Link* l = link; l != link + links; ++l)
        if (l->from != l->to) ++begin[l->from + 1];
    for (int v = 0; v < nodes; ++v) begin[v + 1] += begin[v];
    std::vector<int32_t> next(begin.begin(), begin.end() - 1);
    for (const Link* l = link; l != link + links; ++l)
        if (l->from != l->to) bag[next[l->from]++] = l->to;
    int32_t* out = row;
    for (int v = 0; v < nodes; ++v) {
        start[v] = (int32_t)(out - row);
        int32_t *first = bag.data() + begin[v], *last = bag.data() + begin[v + 1];
        std::sort(first, last);
        out = std::copy(first, std::unique(first, last), out);
    }
    start[nodes] = *total = (int32_t)(out - row);
}
