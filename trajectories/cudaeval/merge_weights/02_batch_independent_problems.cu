// Sums of sparse vectors: one pair a block, whose threads search for the places of entries.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

// How many of n ascending keys lie below `key`, or do not lie above it.
__device__ int below(int key, bool or_equal, int n, const int* keys) {
    int begin = 0, end = n;
    while (begin < end) {
        const int middle = (begin + end) / 2;
        if (keys[middle] < key || (or_equal && keys[middle] == key))
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

// A block a pair. An entry's place among all of both vectors is how many of its own and of the other one lie before it.
__global__ void merge(int n, const int32_t* key_a, const int32_t* weight_a, const int32_t* key_b, const int32_t* weight_b, int2* merged,
                      int32_t* key, int32_t* weight, int32_t* count) {
    const long long in = (long long)blockIdx.x * n;
    key_a += in, weight_a += in, key_b += in, weight_b += in;
    key += 2 * in, weight += 2 * in;
    merged += 2 * in;
    for (int i = threadIdx.x; i < n; i += kThreads) {
        merged[i + below(key_a[i], false, n, key_b)] = {key_a[i], weight_a[i]};
        merged[i + below(key_b[i], true, n, key_a)] = {key_b[i], weight_b[i]};
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    int found = 0;
    for (int k = 0; k < 2 * n; ++k) {
        if (k == 0 || merged[k].x != merged[k - 1].x) {
            key[found] = merged[k].x;
            weight[found++] = 0;
        }
        weight[found - 1] += merged[k].y;
    }
    count[blockIdx.x] = found;
    for (int k = found; k < 2 * n; ++k) key[k] = weight[k] = 0;
}

extern "C" void merge_weights(int pairs, int n, const int32_t* key_a, const int32_t* weight_a, const int32_t* key_b,
                              const int32_t* weight_b, int32_t* key, int32_t* weight, int32_t* count) {
    int2* merged = nullptr;
    cudaMalloc(&merged, sizeof(int2) * 2 * pairs * n);
    merge<<<pairs, kThreads>>>(n, key_a, weight_a, key_b, weight_b, merged, key, weight, count);
    cudaFree(merged);
}
