// Conflict-free choices: one graph a thread.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kClashes = 6;

__global__ void choose(int graphs, int n, const uint16_t* clash, uint8_t* taken, int32_t* count) {
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= graphs) return;
    const uint16_t* mine = clash + (long long)g * n * kClashes;
    uint8_t* state = taken + (long long)g * n;
    int chosen = 0;
    for (int v = 0; v < n; ++v) state[v] = 0;
    for (int v = 0; v < n; ++v) {
        bool free = state[v] != 2;
        for (int k = 0; k < kClashes && free; ++k) free = mine[v * kClashes + k] == v || state[mine[v * kClashes + k]] != 1;
        if (free)
            for (int k = 0; k < kClashes; ++k)
                if (mine[v * kClashes + k] > v) state[mine[v * kClashes + k]] = 2;
        state[v] = free;
        chosen += free;
    }
    count[g] = chosen;
}

extern "C" void conflict_free(int graphs, int n, const uint16_t* clash, uint8_t* taken, int32_t* count) {
    choose<<<(graphs - 1) / 32 + 1, 32>>>(graphs, n, clash, taken, count);
}
