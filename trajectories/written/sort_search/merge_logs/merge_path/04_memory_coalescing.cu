// Merge: a block loads its stretches of both logs into shared memory, merges there and writes in order.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kItems = 8;  // outputs of a thread
constexpr int kTile = kThreads * kItems;

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
    __shared__ long long tile[kTile];  // the stretch of the first log, then that of the second
    __shared__ unsigned short source[kTile];  // of each output, its place in the tile
    __shared__ int border[2];
    int first = blockIdx.x * kTile, count = min(kTile, n + m - first);
    if (threadIdx.x < 2) border[threadIdx.x] = diagonal(first + threadIdx.x * count, n, time_a, m, time_b);
    __syncthreads();
    int a0 = border[0], b0 = first - a0, from_first = border[1] - a0, from_second = count - from_first;
    for (int t = threadIdx.x; t < count; t += kThreads)
        tile[t] = t < from_first ? time_a[a0 + t] : time_b[b0 + t - from_first];
    __syncthreads();

    const long long *own_a = tile, *own_b = tile + from_first;
    int k = threadIdx.x * kItems;
    int a = diagonal(min(k, count), from_first, own_a, from_second, own_b), b = k - a;
    for (int end = min(k + kItems, count); k < end; ++k) {
        bool from_a = b >= from_second || (a < from_first && own_a[a] <= own_b[b]);
        source[k] = (unsigned short)(from_a ? a : from_first + b);
        if (from_a) ++a;
        else ++b;
    }
    __syncthreads();
    for (int t = threadIdx.x; t < count; t += kThreads) {
        int s = source[t];
        time[first + t] = tile[s];
        event[first + t] = s < from_first ? event_a[a0 + s] : event_b[b0 + s - from_first];
    }
}

extern "C" void merge_logs(int n, int m, const long long* time_a, const int* event_a, const long long* time_b,
                           const int* event_b, long long* time, int* event) {
    merge<<<(n + m - 1) / kTile + 1, kThreads>>>(n, m, time_a, event_a, time_b, event_b, time, event);
}
