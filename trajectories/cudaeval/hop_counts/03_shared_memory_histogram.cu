// Hop counts: a block counts in shared memory how many vertices each source reached.
#include <cuda_runtime.h>

#include <cstdint>

using Mask = unsigned long long;  // a bit a source

constexpr int kThreads = 128, kBits = 64;

__global__ void start(int vertices, int sources, const int32_t* source, Mask* fresh) {
    const int s = blockIdx.x * kThreads + threadIdx.x;
    if (s < sources) atomicOr(fresh + (long long)(s / kBits) * vertices + source[s], 1ull << s % kBits);
}

// Takes over what was reached by h links, and counts it.
__global__ void settle(int vertices, int h, int hops, Mask* fresh, Mask* seen, int32_t* count) {
    __shared__ int reached[kBits];
    if (threadIdx.x < kBits) reached[threadIdx.x] = 0;
    __syncthreads();
    const int v = blockIdx.x * kThreads + threadIdx.x;
    if (v < vertices) {
        const long long at = (long long)blockIdx.y * vertices + v;
        const Mask bits = fresh[at] & ~seen[at];
        fresh[at] = bits;
        seen[at] |= bits;
        for (Mask left = bits; left != 0; left &= left - 1) atomicAdd(reached + __ffsll((long long)left) - 1, 1);
    }
    __syncthreads();
    if (threadIdx.x < kBits && reached[threadIdx.x] > 0)
        atomicAdd(count + (blockIdx.y * kBits + threadIdx.x) * (hops + 1) + h, reached[threadIdx.x]);
}

__global__ void go_on(int vertices, const int32_t* row, const int32_t* to, const Mask* fresh, Mask* next) {
    const int v = blockIdx.x * kThreads + threadIdx.x;
    if (v >= vertices) return;
    const long long first = (long long)blockIdx.y * vertices;
    const Mask bits = fresh[first + v];
    for (int e = row[v]; e < row[v + 1] && bits != 0; ++e) atomicOr(next + first + to[e], bits);
}

extern "C" void hop_counts(int vertices, int links, int sources, int hops, const int32_t* row, const int32_t* to, const int32_t* source,
                           int32_t* count) {
    const int groups = (sources - 1) / kBits + 1;
    const size_t bytes = sizeof(Mask) * groups * vertices;
    const dim3 grid((vertices - 1) / kThreads + 1, groups);
    Mask *fresh = nullptr, *next = nullptr, *seen = nullptr;
    cudaMalloc(&fresh, bytes);
    cudaMalloc(&next, bytes);
    cudaMalloc(&seen, bytes);
    cudaMemsetAsync(fresh, 0, bytes);
    cudaMemsetAsync(seen, 0, bytes);
    cudaMemsetAsync(count, 0, sizeof(int32_t) * sources * (hops + 1));
    start<<<(sources - 1) / kThreads + 1, kThreads>>>(vertices, sources, source, fresh);
    settle<<<grid, kThreads>>>(vertices, 0, hops, fresh, seen, count);
    for (int h = 1; h <= hops; ++h) {
        cudaMemsetAsync(next, 0, bytes);
        go_on<<<grid, kThreads>>>(vertices, row, to, fresh, next);
        settle<<<grid, kThreads>>>(vertices, h, hops, next, seen, count);
        Mask* other = fresh;
        fresh = next;
        next = other;
    }
    cudaFree(fresh);
    cudaFree(next);
    cudaFree(seen);
}
