// Conflict-free choices: what is known of vertices is in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kClashes = 6, kThreads = 256, kMost = 4096;

// What is known of a vertex. A word a vertex; kWaits is set beside kOpen in a round where a lower neighbour is still open.
enum { kOpen = 0, kWaits = 1, kTaken = 2, kOut = 4 };

// A block a graph. In each round those vertices are taken that are open and have no lower neighbour that is; then their neighbours are
// out. What is known of vertices is in shared memory.
__global__ void choose(int n, const uint16_t* clash, uint8_t* taken, int32_t* count) {
    __shared__ int state[kMost];
    clash += (long long)blockIdx.x * n * kClashes;
    for (int v = threadIdx.x; v < n; v += kThreads) state[v] = kOpen;
    __syncthreads();
    bool open = true;
    while (open) {
        for (int v = threadIdx.x; v < n; v += kThreads) {
            for (int k = 0; k < kClashes; ++k) {
                const int u = clash[v * kClashes + k];
                if (u == v || atomicOr(state + v, 0) >= kTaken || atomicOr(state + u, 0) >= kTaken) continue;
                atomicOr(state + (u > v ? u : v), kWaits);
            }
        }
        __syncthreads();
        for (int v = threadIdx.x; v < n; v += kThreads) {
            if (state[v] == kOpen) state[v] = kTaken;
        }
        __syncthreads();
        open = false;
        for (int v = threadIdx.x; v < n; v += kThreads) {
            for (int k = 0; k < kClashes; ++k) {
                const int u = clash[v * kClashes + k];
                if (u == v) continue;
                if (atomicOr(state + v, 0) & kTaken) atomicOr(state + u, kOut);
                if (atomicOr(state + u, 0) & kTaken) atomicOr(state + v, kOut);
            }
        }
        __syncthreads();
        for (int v = threadIdx.x; v < n; v += kThreads) {
            if (state[v] == kWaits) state[v] = kOpen, open = true;
        }
        open = __syncthreads_or(open);
    }
    int chosen = 0;
    for (int v = threadIdx.x; v < n; v += kThreads) {
        taken[(long long)blockIdx.x * n + v] = state[v] == kTaken;
        chosen += state[v] == kTaken;
    }
    if (threadIdx.x == 0) count[blockIdx.x] = 0;
    __syncthreads();
    atomicAdd(count + blockIdx.x, chosen);
}

extern "C" void conflict_free(int graphs, int n, const uint16_t* clash, uint8_t* taken, int32_t* count) {
    choose<<<graphs, kThreads>>>(n, clash, taken, count);
}
