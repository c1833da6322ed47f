#include <cstddef>
#include <cstdint>
#include <vector>

void hop_counts(int vertices, int links, int sources, int hops, const int32_t* row, const int32_t* to, const int32_t* source,
                int32_t* count) {
    (void)links;
    std::vector<int32_t> queue(vertices);
    std::vector<int32_t> reached_from(vertices, -1);
    for (int s = 0; s < sources; ++s) {
        size_t head = 0, tail = 0;
        queue[tail++] = source[s];
        reached_from[source[s]] = s;
        for (int h = 0; h <= hops; ++h) {
            const size_t end = tail;  // of the vertices at distance h
            count[s * (hops + 1) + h] = (int32_t)(end - head);
            if (h == hops) break;
            for (; head < end; ++head) {
                const int v = queue[head];
                for (int e = row[v]; e < row[v + 1]; ++e) {
                    if (reached_from[to[e]] == s) continue;
                    reached_from[to[e]] = s;
                    queue[tail++] = to[e];
                }
            }
        }
    }
}
