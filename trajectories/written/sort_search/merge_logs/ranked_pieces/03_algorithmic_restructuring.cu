// Merge: each entry finds its place by a search in the range of the other log that bounds its block.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

// The first place in [low, high) whose entry does not go before `mine`.
template <bool kTiesFirst>
__device__ int search(const long long* __restrict__ other_time, int low, int high, long long mine) {
    while (low < high) {
        int middle = low + (high - low) / 2;
        long long probe = __ldg(other_time + middle);
        bool before = kTiesFirst ? probe <= mine : probe < mine;
        if (before) low = middle + 1;
        else high = middle;
    }
    return low;
}

// kTiesFirst: entries of the other log with an equal time go before.
template <bool kTiesFirst>
__global__ void place(int count, const long long* __restrict__ own_time, const int* __restrict__ own_event, int others,
                      const long long* __restrict__ other_time, long long* __restrict__ time, int* __restrict__ event) {
    __shared__ int range[2];
    int first = blockIdx.x * kThreads, last = min(first + kThreads, count) - 1, i = first + threadIdx.x;
    if (threadIdx.x < 2) {
        long long bound = own_time[threadIdx.x == 0 ? first : last];
        range[threadIdx.x] = search<kTiesFirst>(other_time, 0, others, bound);
    }
    __syncthreads();
    if (i >= count) return;
    long long mine = own_time[i];
    int low = search<kTiesFirst>(other_time, range[0], range[1], mine);
    time[(size_t)i + low] = mine;
    event[(size_t)i + low] = own_event[i];
}

extern "C" void merge_logs(int n, int m, const long long* time_a, const int* event_a, const long long* time_b,
                           const int* event_b, long long* time, int* event) {
    place<false><<<(n - 1) / kThreads + 1, kThreads>>>(n, time_a, event_a, m, time_b, time, event);
    place<true><<<(m - 1) / kThreads + 1, kThreads>>>(m, time_b, event_b, n, time_a, time, event);
}
