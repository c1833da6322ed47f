// Stock: one article a thread, orders under way in a ring of its own.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void run(int articles, int days, int lead, const int* demand, const int* reorder, const int* target, int* stock, int* lost, int* ordered, int* worst) {
    const int a = blockIdx.x * blockDim.x + threadIdx.x;
    if (a >= articles) return;
    int ring[8] = {}, have = stock[a], gone = 0, asked = 0, where = -1, most = 0;
    for (int d = 0; d < days; ++d) {
        have += ring[d % lead];
        ring[d % lead] = 0;
        const int wanted = demand[(size_t)a * days + d], sold = min(have, wanted);
        have -= sold;
        gone += wanted - sold;
        if (wanted - sold > most) most = wanted - sold, where = d;
        int position = have;
        for (int k = 0; k < lead; ++k) position += ring[k];
        const int order = position < reorder[a] ? target[a] - position : 0;
        ring[d % lead] = order;
        asked += order;
    }
    stock[a] = have;
    lost[a] = gone;
    ordered[a] = asked;
    worst[a] = where;
}

extern "C" void stock_levels(int articles, int days, int32_t lead, const int32_t* demand, const int32_t* reorder, const int32_t* target, int32_t* stock,
                             int32_t* lost, int32_t* ordered, int32_t* worst) {
    run<<<(articles + 63) / 64, 64>>>(articles, days, lead, demand, reorder, target, stock, lost, ordered, worst);
}
