// Batched lower bound without divergence: the interval's length is the same in all threads.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

// The number of keys in [first, first + count) that are less than wanted, plus first.
__device__ int lower_bound(const int* keys, int first, int count, int wanted) {
    while (count > 1) {
        int upper = count / 2;
        first += keys[first + upper - 1] < wanted ? upper : 0;
        count -= upper;
    }
    return first + (count == 1 && keys[first] < wanted ? 1 : 0);
}

__global__ void search(int n, const int* keys, int queries, const int* query, int* position) {
    int q = blockIdx.x * kThreads + threadIdx.x;
    if (q < queries) position[q] = lower_bound(keys, 0, n, query[q]);
}

extern "C" void lower_bound_batch(int n, const int* keys, int queries, const int* query, int* position) {
    search<<<(queries - 1) / kThreads + 1, kThreads>>>(n, keys, queries, query, position);
}
