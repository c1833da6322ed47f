// Interval stabs: lists and moments are read by the read-only path, results stored past the caches.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kSamples = 1024;

// `sample[k]` is sorted[(k + 1) * stride - 1]; whole strides below the place are counted first.
__device__ int upper_bound(int n, const int64_t* sorted, const long long* sample, int stride, long long value) {
    int low = 0, high = n / stride;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (sample[middle] <= value) low = middle + 1;
        else high = middle;
    }
    low *= stride;
    high = min(n, low + stride);
    while (low < high) {
        const int middle = (low + high) / 2;
        if (__ldg(reinterpret_cast<const long long*>(sorted) + middle) <= value) low = middle + 1;
        else high = middle;
    }
    return low;
}

__global__ void stab(int shifts, int moments, const int64_t* begins, const int64_t* ends, const int64_t* moment, int32_t* on, int64_t* next) {
    __shared__ long long first[kSamples], last[kSamples];
    const int stride = (shifts + kSamples - 1) / kSamples;
    for (int k = threadIdx.x; k < shifts / stride; k += blockDim.x) {
        first[k] = begins[(size_t)(k + 1) * stride - 1];
        last[k] = ends[(size_t)(k + 1) * stride - 1];
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < moments; i += gridDim.x * blockDim.x) {
        const long long at = __ldcs(reinterpret_cast<const long long*>(moment) + i);
        const int started = upper_bound(shifts, begins, first, stride, at);
        __stcs(&on[i], started - upper_bound(shifts, ends, last, stride, at));
        next[i] = started == shifts ? -1 : begins[started] - at;
    }
}

extern "C" void interval_stabs(int shifts, int moments, const int64_t* begins, const int64_t* ends, const int64_t* moment, int32_t* on, int64_t* next) {
    stab<<<min((moments + 255) / 256, 1056), 256>>>(shifts, moments, begins, ends, moment, on, next);
}
