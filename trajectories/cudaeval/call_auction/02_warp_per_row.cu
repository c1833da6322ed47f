// Opening auctions: one warp a book; running sums over 32 levels at a time.
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

constexpr unsigned kAll = 0xffffffffu;

__device__ int running_sum(int mine) {
    for (int apart = 1; apart < 32; apart *= 2) {
        const int left = __shfl_up_sync(kAll, mine, apart);
        if ((int)(threadIdx.x % 32) >= apart) mine += left;
    }
    return mine;
}

__global__ void fix(int books, int levels, const Level* level, Fixing* fixing) {
    const int b = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (b >= books) return;
    const Level* book = level + (long long)b * levels;
    int demand = 0, supply = 0;  // at the first of 32 levels, without its own offers
    for (int p = lane; p < levels; p += 32) demand += book[p].bid;
    demand = __reduce_add_sync(kAll, demand);
    Fixing best = {-1, 0, 0};
    for (int first = 0; first < levels; first += 32) {
        const int p = first + lane;
        const Level own = p < levels ? book[p] : Level{0, 0};
        const int bids = running_sum(own.bid), asks = running_sum(own.ask);
        const int wanted = demand - (bids - own.bid), offered = supply + asks;
        const Fixing here = {p, min(wanted, offered), wanted - offered};
        if (p < levels && better(here, best)) best = here;
        demand -= __shfl_sync(kAll, bids, 31);
        supply += __shfl_sync(kAll, asks, 31);
        if (demand < __reduce_max_sync(kAll, best.volume)) break;
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        const Fixing other = {__shfl_xor_sync(kAll, best.level, apart), __shfl_xor_sync(kAll, best.volume, apart),
                              __shfl_xor_sync(kAll, best.surplus, apart)};
        if (better(other, best)) best = other;
    }
    if (lane == 0) fixing[b] = best;
}

extern "C" void call_auction(int books, int levels, const Level* level, Fixing* fixing) {
    fix<<<(books - 1) / 4 + 1, 128>>>(books, levels, level, fixing);
}
