// Conflict-free choices: a list of the vertices that are not settled keeps warps full.
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
// out. Only vertices that are not settled are listed for the next round.
template <bool kWide>
__global__ void choose(int n, const uint16_t* clash, uint8_t* taken, int32_t* count) {
    __shared__ int state[kMost], left[2];
    __shared__ uint16_t list[2][kMost];  // of vertices that are not settled yet
    clash += (long long)blockIdx.x * n * kClashes;
    for (int v = threadIdx.x; v < n; v += kThreads) state[v] = kOpen, list[0][v] = v;
    if (threadIdx.x == 0) left[0] = n;
    __syncthreads();
    for (int round = 0; left[round % 2] > 0; ++round) {
        const uint16_t* now = list[round % 2];
        const int all_left = left[round % 2];
        if (threadIdx.x == 0) left[(round + 1) % 2] = 0;
        for (int i = threadIdx.x; i < all_left; i += kThreads) {
            const int v = now[i];
            const Clashes all = Clashes::of<kWide>(v, clash);
            for (int k = 0; k < kClashes; ++k) {
                const int u = all.with[k];
                if (u != v && atomicOr(state + u, 0) < kTaken) atomicOr(state + (u > v ? u : v), kWaits);
            }
        }
        __syncthreads();
        for (int i = threadIdx.x; i < all_left; i += kThreads) {
            const int v = now[i];
            if (state[v] == kOpen) state[v] = kTaken;
        }
        __syncthreads();
        for (int i = threadIdx.x; i < all_left; i += kThreads) {
            const int v = now[i];
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
        for (int i = threadIdx.x; i < all_left; i += kThreads) {
            const int v = now[i];
            if (state[v] == kTaken) state[v] = kOld;
            if (state[v] != kWaits) continue;
            state[v] = kOpen;
            list[(round + 1) % 2][atomicAdd(left + (round + 1) % 2, 1)] = v;
        }
        __syncthreads();
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
