#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// merge_logs: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// restrict_read_only: __restrict__ pointers, read-only ones const.
//
// The nest at line 7 of the reference runs in one thread: its iterations depend on each other.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void merge_logs_1_scalars(int* a, int* b) {
    a[0] = 0;
    b[0] = 0;
}

__global__ void merge_logs_2_serial(int n, int m, const long long* __restrict__ time_a, const int* __restrict__ event_a,
                                    const long long* __restrict__ time_b, const int* __restrict__ event_b,
                                    long long* __restrict__ time, int* __restrict__ event, int* __restrict__ a,
                                    int* __restrict__ b) {
    for (long long k = 0; k < m + n; ++k) {
        const bool from_a = b[0] >= m || (a[0] < n && time_a[a[0]] <= time_b[b[0]]);
        time[k] = from_a ? time_a[a[0]] : time_b[b[0]];
        int chosen;
        if (from_a) {
            const int before = a[0];
            a[0] += 1;
            chosen = event_a[before];
        } else {
            const int before_2 = b[0];
            b[0] += 1;
            chosen = event_b[before_2];
        }
        event[k] = chosen;
    }
}

extern "C" void merge_logs(int n, int m, const long long* time_a, const int* event_a, const long long* time_b,
                           const int* event_b, long long* time, int* event) {
    int* a = nullptr;
    int* b = nullptr;
    if (cudaMalloc(&a, sizeof(int)) == cudaSuccess && cudaMalloc(&b, sizeof(int)) == cudaSuccess) {
        merge_logs_1_scalars<<<1, 1>>>(a, b);
        merge_logs_2_serial<<<1, 1>>>(n, m, time_a, event_a, time_b, event_b, time, event, a, b);
    }
    cudaFree(a);
    cudaFree(b);
}