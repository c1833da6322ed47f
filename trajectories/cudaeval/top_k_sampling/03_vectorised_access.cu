// Top-k sampling: a block of 1024 threads reads rows in words of sixteen bytes where they are whole ones.
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
    __shared__ int count[256], found;
    __shared__ unsigned known, wanted;  // the upper bytes of the k-th value, and how many of those that share them are needed
    const int32_t* row = logit + (size_t)blockIdx.x * words;
    if (threadIdx.x == 0) {
        known = 0;
        wanted = (unsigned)k;
        found = 0;
    }
    for (int shift = 24; shift >= 0; shift -= 8) {
        count[threadIdx.x] = 0;
        __syncthreads();
        const unsigned above = shift == 24 ? 0 : ~0u << (shift + 8), prefix = known;
        const int quads = words % 4 ? 0 : words / 4;
        for (int i = threadIdx.x; i < quads; i += 256) {
            const int4 four = reinterpret_cast<const int4*>(row)[i];
            const int each[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int c = 0; c < 4; ++c) {
                const unsigned value = (unsigned)each[c] ^ 0x80000000u;
                if ((value & above) == prefix) atomicAdd(&count[value >> shift & 255], 1);
            }
        }
        for (int i = 4 * quads + threadIdx.x; i < words; i += 256) {
            const unsigned value = (unsigned)row[i] ^ 0x80000000u;
            if ((value & above) == prefix) atomicAdd(&count[value >> shift & 255], 1);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            int byte = 255;
            unsigned left = wanted;
            for (; (unsigned)count[byte] < left; --byte) left -= count[byte];
            wanted = left;
            known = prefix | (unsigned)byte << shift;
        }
        __syncthreads();
    }
    // Those above the k-th value in any order, then of those equal to it the first ones, one after the other.
    const unsigned bar = known;
    for (int i = threadIdx.x; i < words; i += 256)
        if (((unsigned)row[i] ^ 0x80000000u) > bar) best[atomicAdd(&found, 1)] = key_of(row[i], i);
    __syncthreads();
    const int first = found, equal = k - first;
    unsigned long long last = ~0ull;
    for (int n = 0; n < equal; ++n) {
        unsigned long long mine = 0;
        for (int i = threadIdx.x; i < words; i += 256)
            if (((unsigned)row[i] ^ 0x80000000u) == bar && key_of(row[i], i) < last) mine = max(mine, key_of(row[i], i));
        last = block_max(mine);
        if (threadIdx.x == 0) best[first + n] = last;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int i = 1; i < first; ++i) {
            const unsigned long long value = best[i];
            int at = i;
            for (; at > 0 && best[at - 1] < value; --at) best[at] = best[at - 1];
            best[at] = value;
        }
    if (threadIdx.x == 0) pick(k, steps, best, table, draw[blockIdx.x], token + blockIdx.x, weight + blockIdx.x);
}

extern "C" void top_k_sampling(int rows, int words, int k, int steps, const int32_t* logit, const uint32_t* table, const uint32_t* draw,
                               int32_t* token, uint32_t* weight) {
    sample<<<rows, 256>>>(words, k, steps, logit, table, draw, token, weight);
}
