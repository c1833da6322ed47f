// Drafts: a block takes a sequence: each thread sums a part, the part where the sum passes is found over the block, and walked by its thread.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int accepted(int steps, int tokens, int s, const int* draft, const int* small, const int* large, const int* chance) {
    int t = 0;
    for (; t < steps; ++t) {
        const size_t at = (size_t)s * steps + t, token = at * tokens + draft[at];
        if ((long long)chance[at] * small[token] >= 65536ll * large[token]) break;
    }
    return t;
}

__global__ void accept(int steps, int tokens, const int* __restrict__ draft, const int* __restrict__ small, const int* __restrict__ large,
                       const int* __restrict__ chance, const int* __restrict__ spare, int* kept, int* next) {
    __shared__ int first_refused;
    __shared__ long long warp_sum[8];
    __shared__ int chosen;
    const int s = blockIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0) {
        first_refused = accepted(steps, tokens, s, draft, small, large, chance);
        chosen = -1;
    }
    __syncthreads();
    const int t = first_refused;
    if (t < steps) {
        const int *a = large + ((size_t)s * steps + t) * tokens, *b = small + ((size_t)s * steps + t) * tokens;
        // a warp has a stretch of tokens; its sum comes from coalesced reads
        const int part = (tokens + 7) / 8, from = warp * part, to = min(tokens, from + part);
        long long own = 0;
        for (int v = from + lane; v < to; v += 32) own += max(0, a[v] - b[v]);
        for (int apart = 16; apart > 0; apart /= 2) own += __shfl_xor_sync(0xffffffffu, own, apart);
        if (lane == 0) warp_sum[warp] = own;
        __syncthreads();
        long long total = 0, before = 0;
        for (int w = 0; w < 8; ++w) {
            if (w < warp) before += warp_sum[w];
            total += warp_sum[w];
        }
        if (total) {
            long long left = spare[s] % total - before;
            for (int at = from; left >= 0 && left < own && at < to; at += 32) {
                const int v = at + lane;
                int sum = v < to ? max(0, a[v] - b[v]) : 0;
                for (int apart = 1; apart < 32; apart *= 2) {
                    const int other = __shfl_up_sync(0xffffffffu, sum, apart);
                    if (lane >= apart) sum += other;
                }
                const unsigned past = __ballot_sync(0xffffffffu, v < to && sum > left);
                if (past) {
                    if (lane == 0) chosen = at + __ffs(past) - 1;
                    break;
                }
                left -= __shfl_sync(0xffffffffu, sum, 31);
            }
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        kept[s] = t;
        next[s] = chosen;
    }
}

extern "C" void speculative_accept(int sequences, int steps, int tokens, const int32_t* draft, const int32_t* small, const int32_t* large,
                                   const int32_t* chance, const int32_t* spare, int32_t* kept, int32_t* next) {
    accept<<<sequences, 256>>>(steps, tokens, draft, small, large, chance, spare, kept, next);
}
