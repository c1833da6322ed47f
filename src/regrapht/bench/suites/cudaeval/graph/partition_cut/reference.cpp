#include <cstdint>

void partition_cut(int vertices, int edges, const uint8_t* part, const int32_t* ends, const int32_t* weight, int64_t* cut) {
    (void)vertices;
    int64_t total = 0, count = 0;
    for (int e = 0; e < edges; ++e) {
        if (part[ends[2 * e]] == part[ends[2 * e + 1]]) continue;
        total += weight[e];
        ++count;
    }
    cut[0] = total;
    cut[1] = count;
}
