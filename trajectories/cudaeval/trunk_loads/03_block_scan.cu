// Loads of lines: loads come from scans in the block.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

struct Add {
    __device__ int operator()(int a, int b) const { return a + b; }
};
struct Larger {
    __device__ int operator()(int a, int b) const { return max(a, b); }
};

// `value` of this thread and of those before it in the block, put together; `all` gets that of all threads.
template <typename Join>
__device__ int running(int value, int* all, Join join) {
    __shared__ int work[kThreads];
    work[threadIdx.x] = value;
    __syncthreads();
    for (int reach = 1; reach < kThreads; reach *= 2) {
        const int lower = (int)threadIdx.x >= reach ? work[threadIdx.x - reach] : 0;
        __syncthreads();
        if ((int)threadIdx.x >= reach) work[threadIdx.x] = value = join(lower, value);
        __syncthreads();
    }
    *all = work[kThreads - 1];
    __syncthreads();
    return value;
}

// A block a group, 256 seconds at a time.
__global__ void carry(int m, int n, const uint16_t* begin, const uint16_t* seconds, int* change, uint16_t* load, int* peak, int* idle) {
    __shared__ int most, longest;
    begin += (long long)blockIdx.x * m;
    seconds += (long long)blockIdx.x * m;
    load += (long long)blockIdx.x * n;
    change += (long long)blockIdx.x * (n + 1);
    for (int i = threadIdx.x; i < m; i += kThreads) {
        atomicAdd(change + begin[i], 1);
        atomicSub(change + min(n, begin[i] + seconds[i]), 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) most = longest = 0;
    int busy = 0, last = -1, more, later;  // at the end of the seconds before: the load, and the last second with one
    for (int first = 0; first < n; first += kThreads) {
        const int t = first + threadIdx.x, now = busy + running(t < n ? change[t] : 0, &more, Add());
        const int busy_at = max(last, running(t < n && now > 0 ? t : -1, &later, Larger()));
        if (t < n) {
            load[t] = now;
            atomicMax(&most, now);
            atomicMax(&longest, t - busy_at);
        }
        busy += more;
        last = max(last, later);
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    peak[blockIdx.x] = most;
    idle[blockIdx.x] = longest;
}

extern "C" void trunk_loads(int groups, int m, int n, const uint16_t* begin, const uint16_t* seconds, uint16_t* load, int32_t* peak,
                            int32_t* idle) {
    int* change = nullptr;
    cudaMalloc(&change, sizeof(int) * groups * (n + 1));
    cudaMemsetAsync(change, 0, sizeof(int) * groups * (n + 1));
    carry<<<groups, kThreads>>>(m, n, begin, seconds, change, load, peak, idle);
    cudaFree(change);
}
