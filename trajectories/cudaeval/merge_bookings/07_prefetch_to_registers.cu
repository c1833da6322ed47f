// Unions of intervals: steps of the network within 32 neighbours happen in registers.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kMost = 1024;

struct Add {
    __device__ int operator()(int a, int b) const { return a + b; }
};
struct Larger {
    __device__ int operator()(int a, int b) const { return max(a, b); }
};

// `value` of this thread and of those before it in the block, put together; `all` gets that of all threads.
template <typename Join>
__device__ int running(int value, int* all, Join join) {
    __shared__ int part[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int reach = 1; reach < 32; reach *= 2) {
        const int lower = __shfl_up_sync(0xffffffffu, value, reach);
        if (lane >= reach) value = join(lower, value);
    }
    if (lane == 31) part[warp] = value;
    __syncthreads();
    int before = part[0];
    for (int w = 1; w < kThreads / 32; ++w) {
        if (w == warp) value = join(before, value);
        before = join(before, part[w]);
    }
    *all = before;
    __syncthreads();
    return value;
}

// Joins sorted intervals, 256 at a time. Interval k is the last one of a union where the next one begins behind all up to k.
__device__ void join_sorted(int n, const int2* sorted, int32_t* from, int32_t* to, int32_t* count,
                            int32_t* covered) {
    int found = 0, reached = 0, sum = 0, more, farthest;
    for (int first = 0; first < n; first += kThreads) {
        const int k = first + threadIdx.x;
        const int end = max(reached, running(k < n ? sorted[k].y : 0, &farthest, Larger()));
        const bool last = k < n && (k == n - 1 || sorted[k + 1].x > end);
        const int at = found + running(last, &more, Add()) - last;
        if (k == 0) from[0] = sorted[0].x;
        if (last) {
            to[at] = end;
            if (k + 1 < n) from[at + 1] = sorted[k + 1].x;
            sum += k + 1 < n ? end - sorted[k + 1].x : end - sorted[0].x;
        }
        reached = max(reached, farthest);
        found += more;
    }
    for (int k = found + threadIdx.x; k < n; k += kThreads) from[k] = to[k] = 0;
    running(sum, &more, Add());
    if (threadIdx.x > 0) return;
    count[blockIdx.x] = found;
    covered[blockIdx.x] = more;
}

__device__ unsigned in_order(unsigned mine, int apart, bool up) {
    const unsigned other = __shfl_xor_sync(0xffffffffu, mine, apart);
    return ((threadIdx.x & apart) == 0) == up ? min(mine, other) : max(mine, other);
}

// Sorts 2^k numbers, at least 32, by a bitonic network. Steps within 32 neighbours happen in the registers of a warp.
__device__ void sort(int size, unsigned* key) {
    for (int i = threadIdx.x; i < size; i += kThreads) {
        unsigned mine = key[i];
        for (int run = 2; run <= 32; run *= 2)
            for (int apart = run / 2; apart > 0; apart /= 2) mine = in_order(mine, apart, (i & run) == 0);
        key[i] = mine;
    }
    __syncthreads();
    for (int run = 64; run <= size; run *= 2) {
        for (int apart = run / 2; apart >= 32; apart /= 2) {
            for (int i = threadIdx.x; i < size / 2; i += kThreads) {
                const int low = 2 * i - (i & (apart - 1)), high = low + apart;
                const unsigned a = key[low], b = key[high];
                if ((a > b) == ((low & run) == 0)) {
                    key[low] = b;
                    key[high] = a;
                }
            }
            __syncthreads();
        }
        for (int i = threadIdx.x; i < size; i += kThreads) {
            unsigned mine = key[i];
            for (int apart = 16; apart > 0; apart /= 2) mine = in_order(mine, apart, (i & run) == 0);
            key[i] = mine;
        }
        __syncthreads();
    }
}

// A block a row. An interval is one number, its begin in the upper bits, its length in the lower twelve.
__global__ void join(int n, const int32_t* begin, const uint16_t* length, int32_t* from, int32_t* to, int32_t* count,
                     int32_t* covered) {
    __shared__ unsigned key[kMost];
    __shared__ int2 sorted[kMost];
    const long long row = (long long)blockIdx.x * n;
    begin += row, length += row, from += row, to += row;
    for (int i = threadIdx.x; i < n; i += kThreads) key[i] = (unsigned)begin[i] << 12 | length[i];
    int size = 32;
    while (size < n) size *= 2;
    for (int i = n + threadIdx.x; i < size; i += kThreads) key[i] = ~0u;
    __syncthreads();
    sort(size, key);
    for (int i = threadIdx.x; i < n; i += kThreads) sorted[i] = make_int2(key[i] >> 12, (key[i] >> 12) + (key[i] & 4095));
    __syncthreads();
    join_sorted(n, sorted, from, to, count, covered);
}

extern "C" void merge_bookings(int rows, int n, const int32_t* begin, const uint16_t* length, int32_t* from, int32_t* to,
                               int32_t* count, int32_t* covered) {
    join<<<rows, kThreads>>>(n, begin, length, from, to, count, covered);
}
