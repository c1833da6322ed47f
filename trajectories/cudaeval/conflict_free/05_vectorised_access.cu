// Conflict-free choices: neighbours are loaded two at a time.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kClashes = 6, kThreads = 256, kMost = 4096;

// What is known of a vertex. kWaits is set in a round where a lower neighbour is still open; who was taken in the round becomes old.
enum { kOpen = 0, kWaits = 1, kTaken = 2, kOut = 4, kOld = 8 };

// The six neighbours of a vertex, loaded two at a time where rows begin at multiples of four bytes.
struct Clashes {
    uint16_t with[kClashes];

    template <bool kWide>
    __device__ static Clashes of(int v, const uint16_t* clash) {
        Clashes all;
        if constexpr (kWide) {
#pragma unroll
            for (int k = 0; k < kClashes / 2; ++k) {
                const unsigned two = ((const unsigned*)clash)[v * (kClashes / 2) + k];
                all.with[2 * k] = two & 0xffff;
                all.with[2 * k + 1] = two >> 16;
            }
        } else {
            for (int k = 0; k < kClashes; ++k) all.with[k] = clash[v * kClashes + k];
        }
        return all;
    }
};

// A block a graph. In each round those vertices are taken that are open and have no lower neighbour that is; then their neighbours are
// out. Vertices that were settled in earlier rounds look at nobody.
template <bool kWide>
__global__ void choose(int n, const uint16_t* clash, uint8_t* taken, int32_t* count) {
    __shared__ int state[kMost];
    clash += (long long)blockIdx.x * n * kClashes;
    for (int v = threadIdx.x; v < n; v += kThreads) state[v] = kOpen;
    __syncthreads();
    bool open = true;
    while (open) {
        for (int v = threadIdx.x; v < n; v += kThreads) {
            if (atomicOr(state + v, 0) >= kTaken) continue;
            const Clashes all = Clashes::of<kWide>(v, clash);
            for (int k = 0; k < kClashes; ++k) {
                const int u = all.with[k];
                if (u != v && atomicOr(state + u, 0) < kTaken) atomicOr(state + (u > v ? u : v), kWaits);
            }
        }
        __syncthreads();
        for (int v = threadIdx.x; v < n; v += kThreads) {
            if (state[v] == kOpen) state[v] = kTaken;
        }
        __syncthreads();
        for (int v = threadIdx.x; v < n; v += kThreads) {
            const int mine = atomicOr(state + v, 0);
            if (mine >= kOut) continue;
            const Clashes all = Clashes::of<kWide>(v, clash);
            for (int k = 0; k < kClashes; ++k) {
                const int u = all.with[k];
                if (u == v) continue;
                if (mine == kTaken)
                    atomicOr(state + u, kOut);
                else if (atomicOr(state + u, 0) & kTaken)
                    atomicOr(state + v, kOut);
            }
        }
        __syncthreads();
        open = false;
        for (int v = threadIdx.x; v < n; v += kThreads) {
            if (state[v] == kTaken) state[v] = kOld;
            if (state[v] == kWaits) state[v] = kOpen, open = true;
        }
        open = __syncthreads_or(open);
    }
    int chosen = 0;
    for (int v = threadIdx.x; v < n; v += kThreads) {
        taken[(long long)blockIdx.x * n + v] = state[v] == kOld;
        chosen += state[v] == kOld;
    }
    if (threadIdx.x == 0) count[blockIdx.x] = 0;
    __syncthreads();
    atomicAdd(count + blockIdx.x, chosen);
}

extern "C" void conflict_free(int graphs, int n, const uint16_t* clash, uint8_t* taken, int32_t* count) {
    ((uintptr_t)clash % 4 == 0 ? choose<true> : choose<false>)<<<graphs, kThreads>>>(n, clash, taken, count);
}
