// Drafts: one sequence a thread.
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

__global__ void accept(int sequences, int steps, int tokens, const int* draft, const int* small, const int* large, const int* chance, const int* spare, int* kept,
                       int* next) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= sequences) return;
    const int t = accepted(steps, tokens, s, draft, small, large, chance);
    kept[s] = t;
    next[s] = -1;
    if (t == steps) return;
    const size_t from = ((size_t)s * steps + t) * tokens;
    long long total = 0;
    for (int v = 0; v < tokens; ++v) total += max(0, large[from + v] - small[from + v]);
    if (!total) return;
    long long left = spare[s] % total;
    for (int v = 0; v < tokens; ++v) {
        left -= max(0, large[from + v] - small[from + v]);
        if (left < 0) {
            next[s] = v;
            return;
        }
    }
}

extern "C" void speculative_accept(int sequences, int steps, int tokens, const int32_t* draft, const int32_t* small, const int32_t* large,
                                   const int32_t* chance, const int32_t* spare, int32_t* kept, int32_t* next) {
    accept<<<(sequences + 31) / 32, 32>>>(sequences, steps, tokens, draft, small, large, chance, spare, kept, next);
}
