// Batched lower bound with shared pivots; keys and queries are read through the read-only cache.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kMaxBlocks = 2048;
constexpr int kPivots = 1024;

struct GlobalKeys {
    const int* __restrict__ keys;
    __device__ int operator[](int i) const { return __ldg(keys + i); }
};

// The number of keys in [first, first + count) that are less than wanted, plus first.
template <class Keys>
__device__ int lower_bound(Keys keys, int first, int count, int wanted) {
    while (count > 1) {
        int upper = count / 2;
        first += keys[first + upper - 1] < wanted ? upper : 0;
        count -= upper;
    }
    return first + (count == 1 && keys[first] < wanted ? 1 : 0);
}

__global__ void search(int n, int segment, const int* __restrict__ keys, int queries, const int* __restrict__ query,
                       int* __restrict__ position) {
    // pivot[s] is the last key of segment s; the keys after the last whole segment have none.
    __shared__ int pivot[kPivots];
    int segments = n / segment;
    for (int s = threadIdx.x; s < segments; s += kThreads) pivot[s] = keys[(size_t)(s + 1) * segment - 1];
    __syncthreads();

    long long stride = (long long)gridDim.x * kThreads;
    for (long long q = blockIdx.x * kThreads + threadIdx.x; q < queries; q += stride) {
        int wanted = __ldg(query + q);
        // The answer lies in the first segment whose last key is not less than the query.
        int first = lower_bound<const int*>(pivot, 0, segments, wanted) * segment;
        position[q] = lower_bound(GlobalKeys{keys}, first, min(segment, n - first), wanted);
    }
}

extern "C" void lower_bound_batch(int n, const int* keys, int queries, const int* query, int* position) {
    int needed = (queries - 1) / kThreads + 1;
    int blocks = needed < kMaxBlocks ? needed : kMaxBlocks;
    int segment = (n - 1) / kPivots + 1;  // at most kPivots whole segments
    search<<<blocks, kThreads>>>(n, segment, keys, queries, query, position);
}
