#include <cuda_runtime.h>

typedef unsigned long long Word;
constexpr int kRegisters = 4096;

__device__ Word mixed(Word key) {
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9ull;
    key = (key ^ (key >> 27)) * 0x94d049bb133111ebull;
    return key ^ (key >> 31);
}

__device__ int rank_of(Word hash) {
    Word rest = hash << 12;
    return rest == 0 ? 53 : __clzll((long long)rest) + 1;
}

__global__ void narrow(const int* wide, unsigned char* registers) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < kRegisters) registers[r] = (unsigned char)wide[r];
}
#include <cstdint>

// Most keys do not raise their register any more: a plain look saves the atomic. Registers only grow, so an old value is safe.
__device__ void add(volatile int* local, Word key) {
    Word hash = mixed(key);
    int rank = rank_of(hash), r = (int)(hash >> 52);
    if (local[r] < rank) atomicMax(const_cast<int*>(local) + r, rank);
}

constexpr int kThreads = 512, kMostBlocks = 132 * 4;  // as many as a large device holds at once

__global__ void sketch(long long n, const Word* __restrict__ keys, int* wide) {
    __shared__ int local[kRegisters];
    for (int r = threadIdx.x; r < kRegisters; r += blockDim.x) local[r] = 0;
    __syncthreads();
    long long step = (long long)gridDim.x * blockDim.x, me = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    bool aligned = reinterpret_cast<uintptr_t>(keys) % 16 == 0;
    long long pairs = aligned ? n / 2 : 0;
    const ulonglong2* two = reinterpret_cast<const ulonglong2*>(keys);
    for (long long i = me; i < pairs; i += 2 * step) {
        ulonglong2 a = two[i], b = i + step < pairs ? two[i + step] : a;  // a key that is added twice changes nothing
        add(local, a.x);
        add(local, a.y);
        add(local, b.x);
        add(local, b.y);
    }
    for (long long i = 2 * pairs + me; i < n; i += step) add(local, keys[i]);
    __syncthreads();
    for (int r = threadIdx.x; r < kRegisters; r += blockDim.x)
        if (local[r] > 0) atomicMax(wide + r, local[r]);
}

extern "C" void distinct_sketch(long long n, const Word* keys, unsigned char* registers) {
    int* wide = nullptr;
    cudaMalloc(&wide, kRegisters * sizeof(int));
    cudaMemsetAsync(wide, 0, kRegisters * sizeof(int));
    long long blocks = (n + 16 * kThreads - 1) / (16 * kThreads);  // at least 16 keys a thread
    if (n > 0) sketch<<<(unsigned)(blocks < kMostBlocks ? blocks : kMostBlocks), kThreads>>>(n, keys, wide);
    narrow<<<kRegisters / 256, 256>>>(wide, registers);
    cudaFree(wide);
}
