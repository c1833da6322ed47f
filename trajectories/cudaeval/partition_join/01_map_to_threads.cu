// Hash joins: one partition a thread.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kSlots = 2048, kEmpty = -1;

__device__ unsigned first_slot(int key) { return (unsigned)key * 2654435769u >> 21; }

// The number of the customer with this key, or `kEmpty`.
__device__ int look_up(int wanted, const int* key, const int* number) {
    unsigned at = first_slot(wanted);
    while (key[at] != kEmpty && key[at] != wanted) at = (at + 1) % kSlots;
    return key[at] == kEmpty ? kEmpty : number[at];
}

// `key` and `number` are the tables of all partitions, of 2048 slots each.
__global__ void join(int parts, int n, int m, const int* customer, const int* limit, const int* order, int* key, int* number, int* found,
                     int* credit, int* count) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= parts) return;
    customer += (long long)p * n, limit += (long long)p * n, order += (long long)p * m;
    found += (long long)p * m, credit += (long long)p * m, key += (long long)p * kSlots, number += (long long)p * kSlots;
    for (int at = 0; at < kSlots; ++at) key[at] = kEmpty;
    for (int c = 0; c < n; ++c) {
        unsigned at = first_slot(customer[c]);
        while (key[at] != kEmpty && key[at] != customer[c]) at = (at + 1) % kSlots;
        if (key[at] != kEmpty) continue;
        key[at] = customer[c];
        number[at] = c;
    }
    int hits = 0;
    for (int o = 0; o < m; ++o) {
        const int c = look_up(order[o], key, number);
        if (c == kEmpty) continue;
        found[hits] = o;
        credit[hits++] = limit[c];
    }
    count[p] = hits;
    for (; hits < m; ++hits) found[hits] = credit[hits] = 0;
}

extern "C" void partition_join(int parts, int n, int m, const int32_t* customer, const int32_t* limit, const int32_t* order,
                               int32_t* found, int32_t* credit, int32_t* count) {
    int *key = nullptr, *number = nullptr;
    cudaMalloc(&key, sizeof(int) * kSlots * parts);
    cudaMalloc(&number, sizeof(int) * kSlots * parts);
    join<<<(parts - 1) / 32 + 1, 32>>>(parts, n, m, customer, limit, order, key, number, found, credit, count);
    cudaFree(key);
    cudaFree(number);
}
