// Balances: tiles of 2048 entries, eight neighbours to a thread; tails are chained by one block.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kItems = 8;
constexpr int kTile = kThreads * kItems;

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

// Scan over the threads of a block: what comes before this thread, and the whole of the block.
__device__ Sum block_before(Sum mine, Sum& whole) {
    __shared__ Sum totals[kThreads / 32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    Sum through = warp_scan(mine);
    Sum before = {__shfl_up_sync(0xffffffffu, through.value, 1), __shfl_up_sync(0xffffffffu, through.fresh, 1)};
    if (lane == 0) before = {0, 0};
    __syncthreads();  // nobody still reads the last call's totals
    if (lane == 31) totals[warp] = through;
    __syncthreads();
    Sum earlier = {0, 0};
    whole = {0, 0};
    for (int w = 0; w < kThreads / 32; ++w) {
        if (w == warp) earlier = whole;
        whole = joined(whole, totals[w]);
    }
    return joined(earlier, before);
}

__device__ void load(long long first, long long entries, const int* account, const long long* opening, const long long* amount,
                     Sum (&item)[kItems]) {
    int last = first > 0 && first <= entries ? account[first - 1] : -1;
#pragma unroll
    for (int j = 0; j < kItems; ++j) {
        item[j] = {0, 0};
        if (first + j < entries) {
            int a = account[first + j];
            item[j] = {amount[first + j], a != last};
            if (a != last) item[j].value += opening[a];
            last = a;
        }
    }
}

__global__ void scan_tiles(long long entries, const int* account, const long long* opening, const long long* amount, long long* balance,
                           Sum* tails) {
    long long first = (long long)blockIdx.x * kTile + threadIdx.x * kItems;
    Sum item[kItems], whole;
    load(first, entries, account, opening, amount, item);
#pragma unroll
    for (int j = 1; j < kItems; ++j) item[j] = joined(item[j - 1], item[j]);
    Sum before = block_before(item[kItems - 1], whole);
#pragma unroll
    for (int j = 0; j < kItems; ++j)
        if (first + j < entries) balance[first + j] = joined(before, item[j]).value;
    if (threadIdx.x == 0) tails[blockIdx.x] = whole;
}

// Replaces each tail by what comes before its tile; one block.
__global__ void chain(int tiles, Sum* tails) {
    Sum carried = {0, 0};
    for (int k0 = 0; k0 < tiles; k0 += kThreads) {
        int k = k0 + threadIdx.x;
        Sum mine = k < tiles ? tails[k] : Sum{0, 0}, whole;
        Sum before = joined(carried, block_before(mine, whole));
        if (k < tiles) tails[k] = before;
        carried = joined(carried, whole);
    }
}

// Entries before the first fresh one of a tile belong to an account that began earlier.
__global__ void add_before(long long entries, const int* account, const Sum* tails, long long* balance) {
    long long first = (long long)blockIdx.x * kTile, end = min(first + kTile, entries);
    if (first == 0) return;
    for (long long i = first + threadIdx.x; i < end && account[i] == account[first - 1]; i += kThreads)
        balance[i] += tails[blockIdx.x].value;
}

extern "C" void account_balances(long long entries, int accounts, const int* account, const long long* opening, const long long* amount,
                                 long long* balance) {
    if (entries == 0) return;
    int tiles = (int)((entries + kTile - 1) / kTile);
    Sum* tails = nullptr;
    cudaMalloc(&tails, tiles * sizeof(Sum));
    scan_tiles<<<tiles, kThreads>>>(entries, account, opening, amount, balance, tails);
    chain<<<1, kThreads>>>(tiles, tails);
    add_before<<<tiles, kThreads>>>(entries, account, tails, balance);
    cudaFree(tails);
}
