#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// latency_buckets: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// streaming_stores [nest 1, 2]: what is touched once goes past the caches.
// grid_stride_loop(blocks 1056) [nest 1, 2]: a fixed number of blocks strides over all points.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

constexpr int kBuckets = 124;

__global__ void latency_buckets_1_map(int services, unsigned int* counts, unsigned int* slowest) {
    for (unsigned int point = blockIdx.x * 256 + threadIdx.x; point < (unsigned int)services;
         point += gridDim.x * 256) {
        const int s = point;
        __stcs(&slowest[s], 0);
        for (int b = 0; b <= 123; ++b) {
            __stcs(&counts[(unsigned long long)s * kBuckets + b], 0);
        }
    }
}

__global__ void latency_buckets_2_update(int n, const int* service, const unsigned int* latency, unsigned int* counts,
                                         unsigned int* slowest) {
    for (unsigned int point = blockIdx.x * 256 + threadIdx.x; point < (unsigned int)n; point += gridDim.x * 256) {
        const int i = point;
        const unsigned int value = __ldcs(&latency[i]);
        int bucket = (int)value;
        if (value >= 8) {
            int shift = 0;
            while (value >> shift >= 8) {
                shift += 1;
            }
            bucket = 8 + 4 * (shift - 1) + (int)(value >> shift) - 4;
        }
        atomicAdd(&counts[(unsigned long long)__ldcs(&service[i]) * kBuckets + bucket], (unsigned int)(1));
        atomicMax(&slowest[__ldcs(&service[i])], __ldcs(&latency[i]));
    }
}

extern "C" void latency_buckets(int n, int services, const int* service, const unsigned int* latency,
                                unsigned int* counts, unsigned int* slowest) {
    if (services >= 1) {
        latency_buckets_1_map<<<min((services - 1) / 256 + 1, 1056), 256>>>(services, counts, slowest);
    }
    if (n >= 1) {
        latency_buckets_2_update<<<min((n - 1) / 256 + 1, 1056), 256>>>(n, service, latency, counts, slowest);
    }
}