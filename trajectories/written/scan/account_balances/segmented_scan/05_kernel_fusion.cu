// Balances: one pass; each tile looks back at what the tiles before it have published.
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

// What a tile has let the others know: kOwn, its own sum, which may reach further back; kFinal, everything up to its end.
enum { kNothing = 0, kOwn = 1, kFinal = 2 };
struct Published {
    long long own, final_value;
    int state;
};

// The sum that comes before `tile`; publishes the tile's own on the way. One thread.
__device__ long long look_back(int tile, Sum whole, Published* tiles) {
    volatile Published* mine = tiles + tile;
    if (tile == 0 || whole.fresh) {  // then nothing before the tile matters to those after it
        mine->final_value = whole.value;
        __threadfence();
        mine->state = kFinal;
    } else {
        mine->own = whole.value;
        __threadfence();
        mine->state = kOwn;
    }
    long long sum = 0;
    for (int k = tile - 1; k >= 0;) {
        volatile Published* other = tiles + k;
        int state = other->state;
        if (state == kNothing) continue;
        __threadfence();
        if (state == kFinal) {
            sum += other->final_value;
            break;
        }
        sum += other->own;
        --k;
    }
    if (tile > 0 && !whole.fresh) {
        mine->final_value = sum + whole.value;
        __threadfence();
        mine->state = kFinal;
    }
    return sum;
}

__global__ void scan_tiles(long long entries, const int* account, const long long* opening, const long long* amount, long long* balance,
                           Published* tiles, int* next) {
    __shared__ int tile;
    __shared__ long long carried;  // what comes before the tile
    if (threadIdx.x == 0) tile = atomicAdd(next, 1);  // in the order in which blocks start, so nobody waits for one that has not
    __syncthreads();
    long long first = (long long)tile * kTile + threadIdx.x * kItems;
    Sum item[kItems], whole;
    load(first, entries, account, opening, amount, item);
#pragma unroll
    for (int j = 1; j < kItems; ++j) item[j] = joined(item[j - 1], item[j]);
    Sum before = block_before(item[kItems - 1], whole);
    if (threadIdx.x == 0) carried = look_back(tile, whole, tiles);
    __syncthreads();
    before = joined({carried, 0}, before);
#pragma unroll
    for (int j = 0; j < kItems; ++j)
        if (first + j < entries) balance[first + j] = joined(before, item[j]).value;
}

extern "C" void account_balances(long long entries, int accounts, const int* account, const long long* opening, const long long* amount,
                                 long long* balance) {
    if (entries == 0) return;
    int tiles = (int)((entries + kTile - 1) / kTile);
    Published* published = nullptr;  // and one int behind them, the next tile's number
    size_t bytes = tiles * sizeof(Published) + sizeof(int);
    cudaMalloc(&published, bytes);
    cudaMemsetAsync(published, 0, bytes);
    scan_tiles<<<tiles, kThreads>>>(entries, account, opening, amount, balance, published, reinterpret_cast<int*>(published + tiles));
    cudaFree(published);
}
