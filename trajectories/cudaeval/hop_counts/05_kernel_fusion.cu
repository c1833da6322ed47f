// Hop counts: a level is one kernel, which takes over what its vertices got from the level before and hands it on.
#include <cuda_runtime.h>

#include <cstdint>

using Mask = unsigned long long;  // a bit a source

constexpr int kThreads = 128, kBits = 64;

__global__ void start(int vertices, int sources, const int32_t* source, Mask* fresh) {
    const int s = blockIdx.x * kThreads + threadIdx.x;
    if (s < sources) atomicOr(fresh + (long long)(s / kBits) * vertices + source[s], 1ull << s % kBits);
}

constexpr int kTeam = 8;  // lanes that share a vertex

// What the vertices were reached by h links from is counted, kept in `seen`, handed on to `next` and cleared.
__global__ void advance(int vertices, int h, int hops, const int32_t* row, const int32_t* to, Mask* fresh, Mask* next, Mask* seen,
                        int32_t* count) {
    __shared__ int reached[kBits];
    if (threadIdx.x < kBits) reached[threadIdx.x] = 0;
    __syncthreads();
    const int v = (blockIdx.x * kThreads + threadIdx.x) / kTeam, lane = threadIdx.x % kTeam;
    const long long first = (long long)blockIdx.y * vertices;
    Mask bits = 0;
    if (v < vertices && lane == 0) {
        const Mask before = seen[first + v];
        bits = fresh[first + v] & ~before;
        fresh[first + v] = 0;
        seen[first + v] = before | bits;
    }
    bits = __shfl_sync(0xffffffffu, bits, 0, kTeam);
    for (Mask left = bits >> kBits / kTeam * lane & 0xff; left != 0; left &= left - 1)  // a lane counts eight bits
        atomicAdd(reached + kBits / kTeam * lane + __ffsll((long long)left) - 1, 1);
    for (int e = bits != 0 && h < hops ? row[v] + lane : 0, end = bits != 0 && h < hops ? row[v + 1] : 0; e < end; e += kTeam)
        atomicOr(next + first + to[e], bits);
    __syncthreads();
    if (threadIdx.x < kBits && reached[threadIdx.x] > 0)
        atomicAdd(count + (blockIdx.y * kBits + threadIdx.x) * (hops + 1) + h, reached[threadIdx.x]);
}

extern "C" void hop_counts(int vertices, int links, int sources, int hops, const int32_t* row, const int32_t* to, const int32_t* source,
                           int32_t* count) {
    const int groups = (sources - 1) / kBits + 1;
    const size_t words = (size_t)groups * vertices;
    const dim3 grid((vertices - 1) / (kThreads / kTeam) + 1, groups);
    Mask* scratch = nullptr;  // what is fresh, twice, and what was seen
    cudaMalloc(&scratch, 3 * sizeof(Mask) * words);
    cudaMemsetAsync(scratch, 0, 3 * sizeof(Mask) * words);
    cudaMemsetAsync(count, 0, sizeof(int32_t) * sources * (hops + 1));
    start<<<(sources - 1) / kThreads + 1, kThreads>>>(vertices, sources, source, scratch);
    for (int h = 0; h <= hops; ++h) {
        Mask *fresh = scratch + h % 2 * words, *next = scratch + (h + 1) % 2 * words;
        advance<<<grid, kThreads>>>(vertices, h, hops, row, to, fresh, next, scratch + 2 * words, count);
    }
    cudaFree(scratch);
}
