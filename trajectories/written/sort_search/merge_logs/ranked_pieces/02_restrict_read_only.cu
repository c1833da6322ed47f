// Merge: each entry finds its place by a binary search in the other log.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

// kTiesFirst: entries of the other log with an equal time go before.
template <bool kTiesFirst>
__global__ void place(int count, const long long* __restrict__ own_time, const int* __restrict__ own_event, int others,
                      const long long* __restrict__ other_time, long long* __restrict__ time, int* __restrict__ event) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= count) return;
    long long mine = own_time[i];
    int low = 0, high = others;
    while (low < high) {
        int middle = low + (high - low) / 2;
        long long probe = __ldg(other_time + middle);
        bool before = kTiesFirst ? probe <= mine : probe < mine;
        if (before) low = middle + 1;
        else high = middle;
    }
    time[(size_t)i + low] = mine;
    event[(size_t)i + low] = own_event[i];
}

extern "C" void merge_logs(int n, int m, const long long* time_a, const int* event_a, const long long* time_b,
                           const int* event_b, long long* time, int* event) {
    place<false><<<(n - 1) / kThreads + 1, kThreads>>>(n, time_a, event_a, m, time_b, time, event);
    place<true><<<(m - 1) / kThreads + 1, kThreads>>>(m, time_b, event_b, n, time_a, time, event);
}
