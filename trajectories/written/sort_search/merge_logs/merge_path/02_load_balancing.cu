// Merge: each thread finds its start on a diagonal and merges sixteen outputs.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kItems = 16;  // outputs of a thread

// How many of the first k outputs come from the first log.
__device__ int diagonal(int k, int n, const long long* a, int m, const long long* b) {
    int low = max(0, k - m), high = min(k, n);
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] <= b[k - 1 - middle]) low = middle + 1;
        else high = middle;
    }
    return low;
}

__global__ void merge(int n, int m, const long long* time_a, const int* event_a, const long long* time_b,
                      const int* event_b, long long* time, int* event) {
    int total = n + m;
    int k = (blockIdx.x * kThreads + threadIdx.x) * kItems;
    if (k >= total) return;
    int a = diagonal(k, n, time_a, m, time_b), b = k - a;
    for (int end = min(k + kItems, total); k < end; ++k) {
        bool from_a = b >= m || (a < n && time_a[a] <= time_b[b]);
        time[k] = from_a ? time_a[a] : time_b[b];
        event[k] = from_a ? event_a[a] : event_b[b];
        if (from_a) ++a;
        else ++b;
    }
}

extern "C" void merge_logs(int n, int m, const long long* time_a, const int* event_a, const long long* time_b,
                           const int* event_b, long long* time, int* event) {
    merge<<<(n + m - 1) / (kThreads * kItems) + 1, kThreads>>>(n, m, time_a, event_a, time_b, event_b, time, event);
}
