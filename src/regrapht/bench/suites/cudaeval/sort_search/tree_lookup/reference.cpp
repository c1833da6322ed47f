#include <algorithm>
#include <cstdint>

void tree_lookup(int nodes, int queries, const uint32_t* separator, const uint32_t* query, uint32_t* leaf, uint8_t* depth) {
    for (int q = 0; q < queries; ++q) {
        uint32_t node = 0;
        uint8_t visited = 0;
        do {
            const uint32_t* keys = separator + 16 * (int64_t)node;
            const auto below = std::count_if(keys, keys + 16, [key = query[q]](uint32_t s) { return s <= key; });
            node = 17 * node + 1 + (uint32_t)below;
            ++visited;
        } while (node < (uint32_t)nodes);
        leaf[q] = node - (uint32_t)nodes;
        depth[q] = visited;
    }
}
