// Knock-out walks: a word of the generator serves 32 steps.
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
    if (w >= walks) return;
    int price = start[w], out = 0;
    uint32_t word = 0;
    for (int s = 0; s < steps && !out; ++s, word >>= 1) {
        if (s % 32 == 0) word = word_of((uint32_t)w, (uint32_t)(s / 32), seed);
        price += word & 1 ? up : -down;
        if (price >= barrier) out = s + 1;
    }
    when[w] = out;
    last[w] = price;
    if (!out && price > strike) atomicAdd(payout, (unsigned long long)(price - strike));
}

extern "C" void knock_out_walks(int walks, int steps, uint32_t seed, int up, int down, int barrier, int strike, const int32_t* start, int32_t* when,
                                int32_t* last, int64_t* payout) {
    cudaMemsetAsync(payout, 0, sizeof(int64_t));
    walk<<<(walks + 255) / 256, 256>>>(walks, steps, seed, up, down, barrier, strike, start, when, last, reinterpret_cast<unsigned long long*>(payout));
}
