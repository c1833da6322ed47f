// Sums of sparse vectors: places of distinct keys come from scans in the block.
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

// The sum over this thread and those before it in the block; `all` gets that over all threads.
__device__ int running_sum(int value, int* all) {
    __shared__ int sum[kThreads];
    sum[threadIdx.x] = value;
    __syncthreads();
    for (int reach = 1; reach < kThreads; reach *= 2) {
        const int lower = (int)threadIdx.x >= reach ? sum[threadIdx.x - reach] : 0;
        __syncthreads();
        sum[threadIdx.x] = value += lower;
        __syncthreads();
    }
    *all = sum[kThreads - 1];
    return value;
}

// The weights from entry `k` on that have the same key.
__device__ int weight_of_key(int k, int total, const int2* merged) {
    int sum = merged[k].y;
    for (int j = k + 1; j < total && merged[j].x == merged[k].x; ++j) sum += merged[j].y;
    return sum;
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
    int found = 0, more;
    for (int first = 0; first < 2 * n; first += kThreads, found += more) {
        const int k = first + threadIdx.x;
        const bool opens = k < 2 * n && (k == 0 || merged[k].x != merged[k - 1].x);
        const int to = found + running_sum(opens, &more) - 1;
        if (opens) {
            key[to] = merged[k].x;
            weight[to] = weight_of_key(k, 2 * n, merged);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) count[blockIdx.x] = found;
    for (int k = found + threadIdx.x; k < 2 * n; k += kThreads) key[k] = weight[k] = 0;
}

extern "C" void merge_weights(int pairs, int n, const int32_t* key_a, const int32_t* weight_a, const int32_t* key_b,
                              const int32_t* weight_b, int32_t* key, int32_t* weight, int32_t* count) {
    int2* merged = nullptr;
    cudaMalloc(&merged, sizeof(int2) * 2 * pairs * n);
    merge<<<pairs, kThreads>>>(n, key_a, weight_a, key_b, weight_b, merged, key, weight, count);
    cudaFree(merged);
}
