#include <cstddef>
#include <cstdint>

namespace {

constexpr int32_t kFar = 1 << 22;  // longer than any path of 63 links
constexpr uint8_t kNowhere = 255;

void relax_through(int k, int nodes, int32_t* distance, uint8_t* hop) {
    for (int i = 0; i < nodes; ++i) {
        const int32_t to_k = distance[i * nodes + k];
        if (to_k == kFar) continue;
        const uint8_t first = hop[i * nodes + k];
        for (int j = 0; j < nodes; ++j) {
            const int32_t via = to_k + distance[k * nodes + j];
            if (via < distance[i * nodes + j]) {
                distance[i * nodes + j] = via;
                hop[i * nodes + j] = first;
            }
        }
    }
}

}  // namespace

void route_tables(int networks, int nodes, const uint16_t* length, int32_t* distance, uint8_t* hop) {
    const size_t cells = (size_t)nodes * nodes;
    for (int g = 0; g < networks; ++g, length += cells, distance += cells, hop += cells) {
        for (int i = 0; i < nodes; ++i) {
            for (int j = 0; j < nodes; ++j) {
                const int at = i * nodes + j;
                const bool linked = length[at] != 0;
                distance[at] = i == j ? 0 : linked ? length[at] : kFar;
                hop[at] = i == j ? (uint8_t)i : linked ? (uint8_t)j : kNowhere;
            }
        }
        for (int k = 0; k < nodes; ++k) relax_through(k, nodes, distance, hop);
    }
}
