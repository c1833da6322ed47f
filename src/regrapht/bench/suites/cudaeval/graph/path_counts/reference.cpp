#include <cstdint>

static const uint16_t kFar = 65535;
static uint16_t queue[4096];

void path_counts(int n, int sources, const uint16_t* link, const int32_t* source, uint16_t* hops, uint32_t* paths) {
    for (int s = 0; s < sources; ++s, hops += n, paths += n) {
        for (int v = 0; v < n; ++v) {
            hops[v] = kFar;
            paths[v] = 0;
        }
        const uint16_t* head = queue;
        uint16_t* tail = queue;
        *tail++ = (uint16_t)source[s];
        hops[source[s]] = 0;
        paths[source[s]] = 1;
        while (head < tail) {
            const int v = *head++;
            for (const uint16_t* to = link + 4 * v; to < link + 4 * v + 4; ++to) {
                if (hops[*to] == kFar) {
                    hops[*to] = hops[v] + 1;
                    *tail++ = *to;
                }
                if (hops[*to] == hops[v] + 1) paths[*to] += paths[v];
            }
        }
    }
}
