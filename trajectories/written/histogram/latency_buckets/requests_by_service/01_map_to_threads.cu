// Latency buckets: a thread for each request, global atomics.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kBuckets = 124;

__device__ int bucket_of(unsigned value) {
    if (value < 8) return (int)value;
    int shift = 0;
    while (value >> shift >= 8) ++shift;
    return 8 + 4 * (shift - 1) + (int)(value >> shift) - 4;
}

__global__ void count(int n, const int* service, const unsigned* latency, unsigned* counts, unsigned* slowest) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&counts[(size_t)service[i] * kBuckets + bucket_of(latency[i])], 1u);
    atomicMax(&slowest[service[i]], latency[i]);
}

extern "C" void latency_buckets(int n, int services, const int* service, const unsigned* latency, unsigned* counts,
                                unsigned* slowest) {
    cudaMemsetAsync(counts, 0, (size_t)services * kBuckets * sizeof(unsigned));
    cudaMemsetAsync(slowest, 0, services * sizeof(unsigned));
    count<<<(n - 1) / kThreads + 1, kThreads>>>(n, service, latency, counts, slowest);
}
