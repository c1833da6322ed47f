// Links: weight and number in one 64-bit key, so that one minimum settles both; the sum goes over parts.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long key_t64;

// weight above, number below; unsigned order is that of the weights
__device__ key_t64 key(int weight, int e) { return (key_t64)((uint32_t)weight ^ 0x80000000u) << 32 | (uint32_t)e; }

__global__ void least(int links, const int* part, const int* from, const int* to, const int* weight, key_t64* keys) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= links) return;
    const int a = part[from[e]], b = part[to[e]];
    if (a == b) return;
    atomicMin(&keys[a], key(weight[e], e));
    atomicMin(&keys[b], key(weight[e], e));
}

__global__ void pick(int parts, const key_t64* keys, int* best, uint8_t* chosen) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= parts) return;
    const key_t64 own = keys[p];
    best[p] = own == ~0ull ? -1 : (int)(uint32_t)own;
    if (own != ~0ull) chosen[(uint32_t)own] = 1;
}

__global__ void add_up(int parts, const int* best, const int* part, const int* from, const int* to, const int* weight, unsigned long long* total) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    long long own = 0;
    if (p < parts && best[p] >= 0) {
        const int e = best[p], a = part[from[e]], b = part[to[e]];
        if (p == min(a, b) || best[min(a, b)] != e) own = weight[e];  // each chosen link once
    }
    for (int apart = 16; apart > 0; apart /= 2) own += __shfl_xor_sync(0xffffffffu, own, apart);
    if (threadIdx.x % 32 == 0 && own) atomicAdd(total, (unsigned long long)own);
}

extern "C" void lightest_links(int vertices, int links, int parts, const int32_t* part, const int32_t* from, const int32_t* to, const int32_t* weight,
                               int32_t* best, uint8_t* chosen, int64_t* total) {
    key_t64* keys = nullptr;
    cudaMallocAsync(&keys, sizeof(key_t64) * parts, 0);
    cudaMemsetAsync(keys, 0xff, sizeof(key_t64) * parts);
    cudaMemsetAsync(chosen, 0, links);
    cudaMemsetAsync(total, 0, sizeof(int64_t));
    least<<<(links + 255) / 256, 256>>>(links, part, from, to, weight, keys);
    pick<<<(parts + 255) / 256, 256>>>(parts, keys, best, chosen);
    add_up<<<(parts + 255) / 256, 256>>>(parts, best, part, from, to, weight, reinterpret_cast<unsigned long long*>(total));
    cudaFreeAsync(keys, 0);
}
