// Neighbours: a block of 64 threads takes a query, each a share of the samples; their lists are drained by repeated minima.
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

__global__ void vote(int samples, int parts, int near, int classes, const uint8_t* sample, const int* label, const uint8_t* query, int* class_of, int* reach) {
    __shared__ key_t64 found[8], least[2];
    const int q = blockIdx.x, t = threadIdx.x;
    key_t64 best[8];
    for (int k = 0; k < 8; ++k) best[k] = ~0ull;
    for (int s = t; s < samples; s += 64) {
        int sum = 0;
        for (int p = 0; p < parts; ++p) {
            const int d = sample[(size_t)s * parts + p] - query[(size_t)q * parts + p];
            sum += d * d;
        }
        offer(best, near, (key_t64)sum << 32 | (uint32_t)s);
    }
    const int count = min(near, samples);
    int mine = 0;
    for (int k = 0; k < count; ++k) {
        const key_t64 own = mine < 8 ? best[mine] : ~0ull;
        key_t64 low = own;
        for (int apart = 16; apart > 0; apart /= 2) {
            const key_t64 other = __shfl_xor_sync(0xffffffffu, low, apart);
            low = other < low ? other : low;
        }
        if (t % 32 == 0) least[t / 32] = low;
        __syncthreads();
        low = least[0] < least[1] ? least[0] : least[1];
        if (own == low) ++mine;
        if (t == 0) found[k] = low;
        __syncthreads();
    }
    if (t == 0) settle(found, count, classes, label, class_of + q, reach + q);
}

extern "C" void neighbour_votes(int samples, int queries, int parts, int near, int classes, const uint8_t* sample, const int32_t* label, const uint8_t* query,
                                int32_t* class_of, int32_t* reach) {
    vote<<<queries, 64>>>(samples, parts, near, classes, sample, label, query, class_of, reach);
}
