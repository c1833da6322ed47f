// Unions of intervals: a row is in shared memory while it is sorted and joined.
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

// A block a row, whose intervals are in shared memory. An interval's place is how many lie before it.
__global__ void join(int n, const int32_t* begin, const uint16_t* length, int32_t* from, int32_t* to, int32_t* count,
                     int32_t* covered) {
    __shared__ int begins[kMost];
    __shared__ int2 sorted[kMost];
    const long long row = (long long)blockIdx.x * n;
    begin += row, length += row, from += row, to += row;
    for (int i = threadIdx.x; i < n; i += kThreads) begins[i] = begin[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += kThreads) {
        const int mine = begins[i];
        int lower = 0;
        for (int j = 0; j < n; ++j) lower += begins[j] < mine || (begins[j] == mine && j < i);
        sorted[lower] = {mine, mine + length[i]};
    }
    __syncthreads();
    join_sorted(n, sorted, from, to, count, covered);
}

extern "C" void merge_bookings(int rows, int n, const int32_t* begin, const uint16_t* length, int32_t* from, int32_t* to,
                               int32_t* count, int32_t* covered) {
    join<<<rows, kThreads>>>(n, begin, length, from, to, count, covered);
}
