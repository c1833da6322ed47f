// Batched lower bound, one thread per query.
#include <cuda_runtime.h>

__global__ void search(int n, const int* keys, int queries, const int* query, int* position) {
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= queries) return;
    int wanted = query[q];
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (keys[middle] < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    position[q] = low;
}

extern "C" void lower_bound_batch(int n, const int* keys, int queries, const int* query, int* position) {
    const int threads = 256;
    search<<<(queries - 1) / threads + 1, threads>>>(n, keys, queries, query, position);
}
