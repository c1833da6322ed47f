// Balances: tiles of 256 entries are scanned by warps; what a tile passes on is chained by one thread and added afterwards.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kTile = 256;

// A sum that starts anew at each account's first entry; `fresh` tells that such an entry is inside.
struct Sum {
    long long value;
    int fresh;
};

__device__ Sum joined(Sum left, Sum right) { return {right.fresh ? right.value : left.value + right.value, left.fresh | right.fresh}; }

// Inclusive scan over the lanes of a warp. The heads below a lane tell how far back its sum reaches.
__device__ Sum warp_scan(Sum mine) {
    int lane = threadIdx.x % 32;
    unsigned heads = __ballot_sync(0xffffffffu, mine.fresh) & (0xffffffffu >> (31 - lane));
    int start = heads ? 31 - __clz(heads) : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
        long long below = __shfl_up_sync(0xffffffffu, mine.value, distance);
        if (lane - distance >= start) mine.value += below;
    }
    return {mine.value, heads != 0};
}

__global__ void scan_tiles(long long entries, const int* account, const long long* opening, const long long* amount, long long* balance,
                           Sum* tails) {
    __shared__ Sum totals[kTile / 32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    long long i = (long long)blockIdx.x * kTile + threadIdx.x;
    Sum mine = {0, 0};
    if (i < entries) {
        int a = account[i];
        mine = {amount[i], i == 0 || account[i - 1] != a};
        if (mine.fresh) mine.value += opening[a];
    }
    mine = warp_scan(mine);
    if (lane == 31) totals[warp] = mine;
    __syncthreads();
    Sum before = {0, 0};
    for (int w = 0; w < warp; ++w) before = joined(before, totals[w]);
    mine = joined(before, mine);
    if (i < entries) balance[i] = mine.value;
    if (threadIdx.x == kTile - 1) tails[blockIdx.x] = mine;
}

// Replaces each tail by what comes before its tile.
__global__ void chain(int tiles, Sum* tails) {
    Sum before = {0, 0};
    for (int k = 0; k < tiles; ++k) {
        Sum tail = tails[k];
        tails[k] = before;
        before = joined(before, tail);
    }
}

// Entries before the first fresh one of a tile belong to an account that began earlier.
__global__ void add_before(long long entries, const int* account, const Sum* tails, long long* balance) {
    long long first = (long long)blockIdx.x * kTile, i = first + threadIdx.x;
    if (first > 0 && i < entries && account[i] == account[first - 1]) balance[i] += tails[blockIdx.x].value;
}

extern "C" void account_balances(long long entries, int accounts, const int* account, const long long* opening, const long long* amount,
                                 long long* balance) {
    if (entries == 0) return;
    int tiles = (int)((entries + kTile - 1) / kTile);
    Sum* tails = nullptr;
    cudaMalloc(&tails, tiles * sizeof(Sum));
    scan_tiles<<<tiles, kTile>>>(entries, account, opening, amount, balance, tails);
    chain<<<1, 1>>>(tiles, tails);
    add_before<<<tiles, kTile>>>(entries, account, tails, balance);
    cudaFree(tails);
}
