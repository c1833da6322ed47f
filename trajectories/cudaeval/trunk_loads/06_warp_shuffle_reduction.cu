// Loads of lines: scans run in warps, by shuffles, then over the warps.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kMost = 4096;
constexpr unsigned kAll = 0xffffffffu;

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
        const int lower = __shfl_up_sync(kAll, value, reach);
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

// A block a group, 256 seconds at a time; changes are in shared memory.
__global__ void carry(int m, int n, const uint16_t* begin, const uint16_t* seconds, uint16_t* load, int* peak, int* idle) {
    __shared__ int most, longest, change[kMost + 1];
    begin += (long long)blockIdx.x * m;
    seconds += (long long)blockIdx.x * m;
    load += (long long)blockIdx.x * n;
    for (int t = threadIdx.x; t <= n; t += kThreads) change[t] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < m; i += kThreads) {
        atomicAdd(change + begin[i], 1);
        atomicSub(change + min(n, begin[i] + seconds[i]), 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) most = longest = 0;
    int busy = 0, last = -1, more, later;  // at the end of the seconds before: the load, and the last second with one
    int my_most = 0, my_longest = 0;
    for (int first = 0; first < n; first += kThreads) {
        const int t = first + threadIdx.x, now = busy + running(t < n ? change[t] : 0, &more, Add());
        const int busy_at = max(last, running(t < n && now > 0 ? t : -1, &later, Larger()));
        if (t < n) {
            load[t] = now;
            my_most = max(my_most, now);
            my_longest = max(my_longest, t - busy_at);
        }
        busy += more;
        last = max(last, later);
    }
    my_most = __reduce_max_sync(kAll, my_most);
    my_longest = __reduce_max_sync(kAll, my_longest);
    if (threadIdx.x % 32 == 0) {
        atomicMax(&most, my_most);
        atomicMax(&longest, my_longest);
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    peak[blockIdx.x] = most;
    idle[blockIdx.x] = longest;
}

extern "C" void trunk_loads(int groups, int m, int n, const uint16_t* begin, const uint16_t* seconds, uint16_t* load, int32_t* peak,
                            int32_t* idle) {
    carry<<<groups, kThreads>>>(m, n, begin, seconds, load, peak, idle);
}
