// Neighbours: one query a thread keeps its nearest in order.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long key_t64;  // distance above, number below

__device__ void offer(key_t64* best, int near, key_t64 mine) {
    if (mine >= best[near - 1]) return;
    int at = near - 1;
    for (; at > 0 && best[at - 1] > mine; --at) best[at] = best[at - 1];
    best[at] = mine;
}

__device__ void settle(const key_t64* best, int count, int classes, const int* label, int* class_of, int* reach) {
    int votes[16] = {}, most = 0;
    for (int k = 0; k < count; ++k) ++votes[label[(uint32_t)best[k]]];
    for (int c = 1; c < classes; ++c)
        if (votes[c] > votes[most]) most = c;
    *class_of = most;
    *reach = (int)(best[count - 1] >> 32);
}

__global__ void vote(int samples, int queries, int parts, int near, int classes, const uint8_t* sample, const int* label, const uint8_t* query, int* class_of, int* reach) {
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= queries) return;
    key_t64 best[8];
    for (int k = 0; k < 8; ++k) best[k] = ~0ull;
    for (int s = 0; s < samples; ++s) {
        int sum = 0;
        for (int p = 0; p < parts; ++p) {
            const int d = sample[(size_t)s * parts + p] - query[(size_t)q * parts + p];
            sum += d * d;
        }
        offer(best, near, (key_t64)sum << 32 | (uint32_t)s);
    }
    settle(best, min(near, samples), classes, label, class_of + q, reach + q);
}

extern "C" void neighbour_votes(int samples, int queries, int parts, int near, int classes, const uint8_t* sample, const int32_t* label, const uint8_t* query,
                                int32_t* class_of, int32_t* reach) {
    vote<<<(queries + 63) / 64, 64>>>(samples, queries, parts, near, classes, sample, label, query, class_of, reach);
}
