// Knock-out walks: a block adds its payouts up before one atomic.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t word_of(uint32_t walk, uint32_t word, uint32_t seed) {
    uint32_t x = walk * 0x9e3779b9u + word * 0x7f4a7c15u + seed;
    x = (x ^ (x >> 17)) * 0xed5ad4bbu;
    x = (x ^ (x >> 11)) * 0xac4c1b51u;
    return x ^ (x >> 15);
}

__global__ void walk(int walks, int steps, uint32_t seed, int up, int down, int barrier, int strike, const int32_t* start, int32_t* when, int32_t* last,
                     unsigned long long* payout) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    int price = w < walks ? start[w] : 0, out = 0;
    for (int from = 0; from < steps && !out; from += 32) {
        const int here = min(32, steps - from);
        uint32_t word = word_of((uint32_t)w, (uint32_t)(from / 32), seed);
        if (here < 32) word &= (1u << here) - 1;
        const int rises = __popc(word);
        if (price + rises * up < barrier) {
            price += rises * up - (here - rises) * down;
            continue;
        }
        for (int s = from; s < from + here && !out; ++s, word >>= 1) {
            price += word & 1 ? up : -down;
            if (price >= barrier) out = s + 1;
        }
    }
    if (w < walks) {
        when[w] = out;
        last[w] = price;
    }
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    const int paid = __reduce_add_sync(0xffffffffu, w < walks && !out ? max(0, price - strike) : 0);
    if (threadIdx.x % 32 == 0) atomicAdd(&total, paid);
    __syncthreads();
    if (threadIdx.x == 0 && total) atomicAdd(payout, (unsigned long long)total);
}

extern "C" void knock_out_walks(int walks, int steps, uint32_t seed, int up, int down, int barrier, int strike, const int32_t* start, int32_t* when,
                                int32_t* last, int64_t* payout) {
    cudaMemsetAsync(payout, 0, sizeof(int64_t));
    walk<<<(walks + 255) / 256, 256>>>(walks, steps, seed, up, down, barrier, strike, start, when, last, reinterpret_cast<unsigned long long*>(payout));
}
