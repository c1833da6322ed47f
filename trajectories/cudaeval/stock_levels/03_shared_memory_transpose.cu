// Stock: 32 days of 64 articles are read along the rows into shared memory; the rings lie there too.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void run(int articles, int days, int lead, const int* __restrict__ demand, const int* __restrict__ reorder, const int* __restrict__ target, int* stock,
                    int* lost, int* ordered, int* worst) {
    __shared__ int tile[64][33], ring[8][64];
    const int first = blockIdx.x * 64, t = threadIdx.x, a = first + t;
    const bool real = a < articles;
    for (int k = 0; k < 8; ++k) ring[k][t] = 0;
    const int low = real ? reorder[a] : 0, high = real ? target[a] : 0;
    int have = real ? stock[a] : 0, position = have, gone = 0, asked = 0, where = -1, most = 0, slot = 0;
    for (int part = 0; part < days; part += 32) {
        __syncthreads();
        for (int i = t; i < 64 * 32; i += 64)
            if (first + i / 32 < articles && part + i % 32 < days) tile[i / 32][i % 32] = demand[(size_t)(first + i / 32) * days + part + i % 32];
        __syncthreads();
        for (int k = 0; k < min(32, days - part) && real; ++k) {
            have += ring[slot][t];
            const int wanted = tile[t][k], sold = min(have, wanted), loss = wanted - sold;
            have -= sold;
            position -= sold;
            gone += loss;
            if (loss > most) most = loss, where = part + k;
            const int order = position < low ? high - position : 0;
            ring[slot][t] = order;
            position += order;
            asked += order;
            slot = slot + 1 < lead ? slot + 1 : 0;
        }
    }
    if (!real) return;
    stock[a] = have;
    lost[a] = gone;
    ordered[a] = asked;
    worst[a] = where;
}

extern "C" void stock_levels(int articles, int days, int32_t lead, const int32_t* demand, const int32_t* reorder, const int32_t* target, int32_t* stock,
                             int32_t* lost, int32_t* ordered, int32_t* worst) {
    run<<<(articles + 63) / 64, 64>>>(articles, days, lead, demand, reorder, target, stock, lost, ordered, worst);
}
