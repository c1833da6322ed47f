// Top-k sampling: a block has a row and takes its largest value k times, each below the last.
#include <cuda_runtime.h>

#include <cstdint>

// Value above, index below: of equal values the lower index is the larger key.
__device__ unsigned long long key_of(int value, int index) {
    return (unsigned long long)((unsigned)value ^ 0x80000000u) << 32 | (0xffffffffu - (unsigned)index);
}

__device__ unsigned long long block_max(unsigned long long value) {
    __shared__ unsigned long long part[8];
    for (int apart = 16; apart > 0; apart /= 2) value = max(value, __shfl_xor_sync(0xffffffffu, value, apart));
    __syncthreads();
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
    __syncthreads();
    for (int w = 0; w < 8; ++w) value = max(value, part[w]);
    return value;
}

// The choice among k keys in descending order; by one thread.
__device__ void pick(int k, int steps, const unsigned long long* best, const uint32_t* table, uint32_t draw, int32_t* token, uint32_t* weight) {
    const int top = (int)((unsigned)(best[0] >> 32) ^ 0x80000000u);
    const auto weight_of = [&](int i) {
        const int below = (top - (int)((unsigned)(best[i] >> 32) ^ 0x80000000u)) / 8;
        return below < steps ? table[steps - 1 - below] : 0u;
    };
    uint32_t total = 0, sum = 0;
    for (int i = 0; i < k; ++i) total += weight_of(i);
    const uint32_t target = draw % total;
    int i = 0;
    while ((sum += weight_of(i)) <= target) ++i;
    *token = (int)(0xffffffffu - (unsigned)best[i]);
    *weight = weight_of(i);
}

__global__ void sample(int words, int k, int steps, const int32_t* logit, const uint32_t* table, const uint32_t* draw, int32_t* token, uint32_t* weight) {
    __shared__ unsigned long long best[64];
    const int32_t* row = logit + (size_t)blockIdx.x * words;
    unsigned long long last = ~0ull;
    for (int n = 0; n < k; ++n) {
        unsigned long long mine = 0;
        for (int i = threadIdx.x; i < words; i += 256) {
            const unsigned long long key = key_of(row[i], i);
            if (key < last) mine = max(mine, key);
        }
        last = block_max(mine);
        if (threadIdx.x == 0) best[n] = last;
    }
    if (threadIdx.x == 0) pick(k, steps, best, table, draw[blockIdx.x], token + blockIdx.x, weight + blockIdx.x);
}

extern "C" void top_k_sampling(int rows, int words, int k, int steps, const int32_t* logit, const uint32_t* table, const uint32_t* draw,
                               int32_t* token, uint32_t* weight) {
    sample<<<rows, 256>>>(words, k, steps, logit, table, draw, token, weight);
}
