// Latency buckets: latencies are brought together by service, then a block counts each service.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kBuckets = 124;
constexpr int kScanThreads = 1024;

__device__ int bucket_of(unsigned value) {
    int shift = max(29 - __clz((int)value), 0);  // leaves three bits, the highest of them set for values from 4 on
    return 4 * shift + (int)(value >> shift);
}

// Adds 1 to the service's counter for each lane, with one atomic for lanes of the same service; the value before this
// lane's own addition. All lanes call it together, those without a request with service -1.
__device__ unsigned add_one(unsigned* counter, int service) {
    unsigned same = __match_any_sync(0xffffffffu, service);
    int lane = threadIdx.x % 32, leader = __ffs(same) - 1;
    unsigned base = 0;
    if (lane == leader && service >= 0) base = atomicAdd(&counter[service], (unsigned)__popc(same));
    base = __shfl_sync(0xffffffffu, base, leader);
    return base + __popc(same & ((1u << lane) - 1));
}

__global__ void tally(int n, const int* service, unsigned* start) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    add_one(start, i < n ? service[i] : -1);
}

// Turns the numbers of requests into the starts of the stretches, twice: one copy is moved on by scatter.
__global__ void offsets(int services, unsigned* start, unsigned* cursor) {
    __shared__ unsigned of_warp[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned carry = 0;
    for (int first = 0; first < services; first += kScanThreads) {
        int s = first + threadIdx.x;
        unsigned own = s < services ? start[s] : 0, sum = own;
        for (int d = 1; d < 32; d *= 2) {
            unsigned other = __shfl_up_sync(0xffffffffu, sum, d);
            if (lane >= d) sum += other;
        }
        if (lane == 31) of_warp[warp] = sum;
        __syncthreads();
        if (warp == 0) {
            unsigned total = of_warp[lane];
            for (int d = 1; d < 32; d *= 2) {
                unsigned other = __shfl_up_sync(0xffffffffu, total, d);
                if (lane >= d) total += other;
            }
            of_warp[lane] = total;
        }
        __syncthreads();
        unsigned before = carry + sum - own + (warp > 0 ? of_warp[warp - 1] : 0);
        if (s < services) start[s] = cursor[s] = before;
        carry += of_warp[31];
        __syncthreads();  // of_warp is written again
    }
}

__global__ void scatter(int n, const int* service, const unsigned* latency, unsigned* cursor, unsigned* sorted) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    unsigned place = add_one(cursor, i < n ? service[i] : -1);
    if (i < n) sorted[place] = latency[i];
}

// After the scatter a service's cursor is the end of its stretch.
__global__ void count(const unsigned* sorted, const unsigned* start, const unsigned* end, unsigned* counts,
                      unsigned* slowest) {
    __shared__ unsigned table[kBuckets], largest;
    int s = blockIdx.x;
    for (int b = threadIdx.x; b < kBuckets; b += kThreads) table[b] = 0;
    if (threadIdx.x == 0) largest = 0;
    __syncthreads();
    unsigned own_largest = 0;
    for (unsigned i = start[s] + threadIdx.x; i < end[s]; i += kThreads) {
        atomicAdd(&table[bucket_of(sorted[i])], 1u);
        own_largest = max(own_largest, sorted[i]);
    }
    atomicMax(&largest, own_largest);
    __syncthreads();
    for (int b = threadIdx.x; b < kBuckets; b += kThreads) counts[(size_t)s * kBuckets + b] = table[b];
    if (threadIdx.x == 0) slowest[s] = largest;
}

extern "C" void latency_buckets(int n, int services, const int* service, const unsigned* latency, unsigned* counts,
                                unsigned* slowest) {
    unsigned* scratch = nullptr;
    cudaMalloc(&scratch, ((size_t)n + 2 * services) * sizeof(unsigned));
    unsigned *start = scratch, *cursor = scratch + services, *sorted = scratch + 2 * services;
    int blocks = (n - 1) / kThreads + 1;
    cudaMemsetAsync(start, 0, services * sizeof(unsigned));
    tally<<<blocks, kThreads>>>(n, service, start);
    offsets<<<1, kScanThreads>>>(services, start, cursor);
    scatter<<<blocks, kThreads>>>(n, service, latency, cursor, sorted);
    count<<<services, kThreads>>>(sorted, start, cursor, counts, slowest);
    cudaFree(scratch);
}
