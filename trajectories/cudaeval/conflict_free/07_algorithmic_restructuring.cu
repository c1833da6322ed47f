// Conflict-free choices: a warp a graph, 32 vertices after 32 in ascending order, so that each conflict is looked at once.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kClashes = 6, kWarps = 4, kMost = 4096;
constexpr unsigned kAll = ~0u;

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

// Which of 32 open vertices are taken, in ascending order. `mine` are those among them that the lane's own vertex names as conflicting with
// it; `open` are those that no vertex before the 32 rules out. Two vertices of the 32 seldom conflict: few rounds do.
__device__ unsigned settle(unsigned open, unsigned mine) {
    const unsigned self = 1u << threadIdx.x % 32, below = self - 1;
    unsigned chosen = 0;
    while (open) {
        const unsigned near = open & self ? mine & open : 0;
        const unsigned waits = __reduce_or_sync(kAll, near & ~below) | __ballot_sync(kAll, near & below);
        const unsigned fresh = open & ~waits;
        chosen |= fresh;
        if (fresh == open) break;
        const unsigned out = __reduce_or_sync(kAll, fresh & self ? near : 0) | __ballot_sync(kAll, near & fresh);
        open &= waits & ~out;
    }
    return chosen;
}

// A warp a graph. Of the vertices before the present 32 all is settled: an open vertex looks whether one of them that it names was taken,
// and a taken one rules out the later ones that it names. Sets have a bit for each vertex.
template <bool kWide>
__global__ void choose(int graphs, int n, const uint16_t* clash, uint8_t* taken, int32_t* count) {
    __shared__ unsigned sets[kWarps][2][kMost / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, graph = blockIdx.x * kWarps + warp;
    if (graph >= graphs) return;
    unsigned *chosen = sets[warp][0], *out = sets[warp][1];
    clash += (long long)graph * n * kClashes;
    taken += (long long)graph * n;
    for (int at = lane; 32 * at < n; at += 32) chosen[at] = out[at] = 0;
    __syncwarp();
    int sum = 0;
    for (int at = 0; 32 * at < n; ++at) {
        const int v = 32 * at + lane;
        const Clashes all = Clashes::of<kWide>(min(v, n - 1), clash);
        unsigned ruled_out = out[at] >> lane, near = 0;  // the lowest bit alone; which of the 32 it names
#pragma unroll
        for (int k = 0; k < kClashes; ++k) {
            const int u = all.with[k];
            ruled_out |= chosen[u / 32] >> u % 32;  // nothing is chosen yet of these 32 and later ones
            near |= (unsigned)(u / 32 == at) << u % 32;
        }
        const bool open = v < n && !(ruled_out & 1);
        const unsigned now = settle(__ballot_sync(kAll, open), near & ~(1u << lane));
        sum += __popc(now);
        __syncwarp();  // all lanes have read what is written now
        if (lane == 0) chosen[at] = now;
        const bool mine = now >> lane & 1;
        if (mine) {
#pragma unroll
            for (int k = 0; k < kClashes; ++k) {
                const int u = all.with[k];
                if (u / 32 > at) atomicOr(out + u / 32, 1u << u % 32);
            }
        }
        if (v < n) taken[v] = mine;
        __syncwarp();
    }
    if (lane == 0) count[graph] = sum;
}

extern "C" void conflict_free(int graphs, int n, const uint16_t* clash, uint8_t* taken, int32_t* count) {
    ((uintptr_t)clash % 4 == 0 ? choose<true> : choose<false>)<<<(graphs - 1) / kWarps + 1, 32 * kWarps>>>(graphs, n, clash, taken, count);
}
