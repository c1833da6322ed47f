// Neighbours: a block of 64 queries shares 32 samples at a time; the list's last distance waits in a register, so that most samples end there.
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

constexpr int kTile = 32, kParts = 64;

__global__ void vote(int samples, int queries, int parts, int near, int classes, const uint8_t* __restrict__ sample, const int* __restrict__ label,
                     const uint8_t* __restrict__ query, int* class_of, int* reach) {
    __shared__ uint8_t tile[kTile][kParts], asked[64][kParts + 1];
    const int q = blockIdx.x * 64 + threadIdx.x;
    key_t64 best[8];
    for (int k = 0; k < 8; ++k) best[k] = ~0ull;
    for (int from = 0; from < samples; from += kTile) {
        const int count = min(kTile, samples - from);
        int sum[kTile] = {};
        for (int part = 0; part < parts; part += kParts) {
            const int wide = min(kParts, parts - part);
            __syncthreads();
            for (int i = threadIdx.x; i < count * wide; i += 64) tile[i / wide][i % wide] = sample[(size_t)(from + i / wide) * parts + part + i % wide];
            for (int i = threadIdx.x; i < 64 * wide; i += 64) {
                const int other = blockIdx.x * 64 + i / wide;
                asked[i / wide][i % wide] = other < queries ? query[(size_t)other * parts + part + i % wide] : 0;
            }
            __syncthreads();
            for (int p = 0; p < wide; ++p) {
                const int own = asked[threadIdx.x][p];
#pragma unroll
                for (int s = 0; s < kTile; ++s) {
                    const int d = s < count ? tile[s][p] - own : 0;
                    sum[s] += d * d;
                }
            }
        }
#pragma unroll
        for (int s = 0; s < kTile; ++s)
            if (s < count) offer(best, near, (key_t64)sum[s] << 32 | (uint32_t)(from + s));
    }
    if (q < queries) settle(best, min(near, samples), classes, label, class_of + q, reach + q);
}

extern "C" void neighbour_votes(int samples, int queries, int parts, int near, int classes, const uint8_t* sample, const int32_t* label, const uint8_t* query,
                                int32_t* class_of, int32_t* reach) {
    vote<<<(queries + 63) / 64, 64>>>(samples, queries, parts, near, classes, sample, label, query, class_of, reach);
}
