// Balances: blocks scan tiles of 256 entries by segments; what a tile passes on is chained by one thread and added afterwards.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kTile = 256;

// A sum that starts anew at each account's first entry; `fresh` tells that such an entry is inside.
struct Sum {
    long long value;
    int fresh;
};

__device__ Sum joined(Sum left, Sum right) { return {right.fresh ? right.value : left.value + right.value, left.fresh | right.fresh}; }

__global__ void scan_tiles(long long entries, const int* account, const long long* opening, const long long* amount, long long* balance,
                           Sum* tails) {
    __shared__ Sum part[2][kTile];
    long long i = (long long)blockIdx.x * kTile + threadIdx.x;
    Sum mine = {0, 0};
    if (i < entries) {
        int a = account[i];
        mine = {amount[i], i == 0 || account[i - 1] != a};
        if (mine.fresh) mine.value += opening[a];
    }
    int now = 0;
    part[0][threadIdx.x] = mine;
    __syncthreads();
    for (int distance = 1; distance < kTile; distance *= 2, now = 1 - now) {
        mine = part[now][threadIdx.x];
        if (threadIdx.x >= distance) mine = joined(part[now][threadIdx.x - distance], mine);
        part[1 - now][threadIdx.x] = mine;
        __syncthreads();
    }
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
