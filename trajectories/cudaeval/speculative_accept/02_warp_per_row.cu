// Drafts: a warp takes a sequence; 32 rests at a time go into the running sum until it passes.
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

__global__ void accept(int steps, int tokens, const int* draft, const int* small, const int* large, const int* chance, const int* spare, int* kept, int* next) {
    const int s = blockIdx.x, lane = threadIdx.x, t = accepted(steps, tokens, s, draft, small, large, chance);
    if (lane == 0) {
        kept[s] = t;
        next[s] = -1;
    }
    if (t == steps) return;
    const int *a = large + ((size_t)s * steps + t) * tokens, *b = small + ((size_t)s * steps + t) * tokens;
    long long total = 0;
    for (int v = lane; v < tokens; v += 32) total += max(0, a[v] - b[v]);
    for (int apart = 16; apart > 0; apart /= 2) total += __shfl_xor_sync(0xffffffffu, total, apart);
    if (!total) return;
    __syncwarp();
    long long left = spare[s] % total;
    for (int from = 0; from < tokens; from += 32) {
        const int v = from + lane;
        int sum = v < tokens ? max(0, a[v] - b[v]) : 0;
        for (int apart = 1; apart < 32; apart *= 2) {
            const int before = __shfl_up_sync(0xffffffffu, sum, apart);
            if (lane >= apart) sum += before;
        }
        const unsigned past = __ballot_sync(0xffffffffu, v < tokens && sum > left);
        if (past) {
            if (lane == 0) next[s] = from + __ffs(past) - 1;
            return;
        }
        left -= __shfl_sync(0xffffffffu, sum, 31);
    }
}

extern "C" void speculative_accept(int sequences, int steps, int tokens, const int32_t* draft, const int32_t* small, const int32_t* large,
                                   const int32_t* chance, const int32_t* spare, int32_t* kept, int32_t* next) {
    accept<<<sequences, 32>>>(steps, tokens, draft, small, large, chance, spare, kept, next);
}
