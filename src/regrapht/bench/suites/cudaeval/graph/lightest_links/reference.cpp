#include <cstdint>

typedef struct { const int32_t *part, *from, *to, *weight; } Net;

static int leaves(const Net* net, int e) { return net->part[net->from[e]] != net->part[net->to[e]]; }

static void offer(const Net* net, int32_t* best, int p, int e)
{
    if (best[p] < 0 || net->weight[e] < net->weight[best[p]]) best[p] = e;
}

void lightest_links(int vertices, int links, int parts, const int32_t* part, const int32_t* from, const int32_t* to, const int32_t* weight, int32_t* best,
                    uint8_t* chosen, int64_t* total)
{
    Net net = {part, from, to, weight};
    (void)vertices;
    for (int p = 0; p < parts; p++) best[p] = -1;
    for (int e = 0; e < links; e++) {
        chosen[e] = 0;
        if (!leaves(&net, e)) continue;
        offer(&net, best, part[from[e]], e);
        offer(&net, best, part[to[e]], e);
    }
    *total = 0;
    for (int p = 0; p < parts; p++) {
        int e = best[p];
        if (e < 0 || chosen[e]) continue;
        chosen[e] = 1;
        *total += weight[e];
    }
}
