// Interval stabs: one moment a thread, two searches by halving.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int upper_bound(int n, const int64_t* sorted, long long value) {
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (sorted[middle] <= value) low = middle + 1;
        else high = middle;
    }
    return low;
}

__global__ void stab(int shifts, int moments, const int64_t* begins, const int64_t* ends, const int64_t* moment, int32_t* on, int64_t* next) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= moments) return;
    const long long at = moment[i];
    const int started = upper_bound(shifts, begins, at);
    on[i] = started - upper_bound(shifts, ends, at);
    next[i] = started == shifts ? -1 : begins[started] - at;
}

extern "C" void interval_stabs(int shifts, int moments, const int64_t* begins, const int64_t* ends, const int64_t* moment, int32_t* on, int64_t* next) {
    stab<<<(moments + 255) / 256, 256>>>(shifts, moments, begins, ends, moment, on, next);
}
