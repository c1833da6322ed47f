// Opening auctions: one thread a book.
#include <cuda_runtime.h>

#include <cstdint>

struct Level {
    int32_t bid, ask;
};

struct Fixing {
    int32_t level, volume, surplus;
};

// Whether `a` is the better price; of equally good ones the lower one is.
__device__ bool better(Fixing a, Fixing b) {
    if (a.volume != b.volume) return a.volume > b.volume;
    if (a.volume == 0) return false;
    if (abs(a.surplus) != abs(b.surplus)) return abs(a.surplus) < abs(b.surplus);
    return a.level < b.level;
}

__global__ void fix(int books, int levels, const Level* level, Fixing* fixing) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= books) return;
    const Level* book = level + (long long)b * levels;
    int demand = 0, supply = 0;
    for (int p = 0; p < levels; ++p) demand += book[p].bid;
    Fixing best = {-1, 0, 0};
    for (int p = 0; p < levels && demand > 0; ++p) {
        supply += book[p].ask;
        const Fixing here = {p, min(demand, supply), demand - supply};
        if (better(here, best)) best = here;
        if (demand < best.volume) break;
        demand -= book[p].bid;
    }
    fixing[b] = best;
}

extern "C" void call_auction(int books, int levels, const Level* level, Fixing* fixing) {
    fix<<<(books - 1) / 64 + 1, 64>>>(books, levels, level, fixing);
}
