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

__global__ void sketch(long long n, const Word* keys, int* wide) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Word hash = mixed(keys[i]);
    atomicMax(wide + (hash >> 52), rank_of(hash));
}

extern "C" void distinct_sketch(long long n, const Word* keys, unsigned char* registers) {
    int* wide = nullptr;
    cudaMalloc(&wide, kRegisters * sizeof(int));
    cudaMemsetAsync(wide, 0, kRegisters * sizeof(int));
    if (n > 0) sketch<<<(unsigned)((n + 255) / 256), 256>>>(n, keys, wide);
    narrow<<<kRegisters / 256, 256>>>(wide, registers);
    cudaFree(wide);
}
