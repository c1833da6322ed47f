// Stock: stock and orders together change only by what is sold and ordered, so that the ring is not summed.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void run(int articles, int days, int lead, const int* demand, const int* reorder, const int* target, int* stock, int* lost, int* ordered, int* worst) {
    const int a = blockIdx.x * blockDim.x + threadIdx.x;
    if (a >= articles) return;
    const int low = reorder[a], high = target[a];
    int ring[8] = {}, have = stock[a], position = have, gone = 0, asked = 0, where = -1, most = 0, slot = 0;
    for (int d = 0; d < days; ++d) {
        have += ring[slot];
        const int wanted = demand[(size_t)a * days + d], sold = min(have, wanted), loss = wanted - sold;
        have -= sold;
        position -= sold;
        gone += loss;
        if (loss > most) most = loss, where = d;
        const int order = position < low ? high - position : 0;
        ring[slot] = order;
        position += order;
        asked += order;
        slot = slot + 1 < lead ? slot + 1 : 0;
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
