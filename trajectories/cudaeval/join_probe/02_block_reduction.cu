// Join probe: a block adds its matches up by shuffles before one atomic.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long u64;

constexpr u64 kFree = 0x8000000000000000ull;  // this key itself has the slot behind the table

__device__ unsigned home_of(u64 key, unsigned mask) {
    key ^= key >> 32;
    return (unsigned)(key * 0xd6e8feb86659fd93ull >> 32) & mask;
}

__global__ void clear(unsigned slots, u64* key, int* rows, u64* total) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= slots) return;
    key[i] = kFree;
    rows[i] = 0;
    total[i] = 0;
}

__global__ void build(int small, unsigned mask, const int64_t* in, const int32_t* payload, u64* key, int* rows, u64* total) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= small) return;
    const u64 own = (u64)in[i];
    unsigned at = mask + 1;
    if (own != kFree) {
        for (at = home_of(own, mask);; at = (at + 1) & mask) {
            const u64 before = atomicCAS(&key[at], kFree, own);
            if (before == kFree || before == own) break;
        }
    }
    atomicAdd(&rows[at], 1);
    atomicAdd(&total[at], (u64)(long long)payload[i]);
}

__global__ void probe_all(int large, unsigned mask, const int64_t* probe, const u64* key, const int* rows, const u64* total, int32_t* matches,
                          int64_t* sum, u64* joined) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    const u64 own = r < large ? (u64)probe[r] : kFree;
    unsigned at = mask + 1;
    if (own != kFree)
        for (at = home_of(own, mask); key[at] != own && key[at] != kFree; at = (at + 1) & mask) {}
    const int found = r < large ? rows[at] : 0;
    if (r < large) {
        matches[r] = found;
        sum[r] = (int64_t)total[at];
    }
    __shared__ u64 part[8];
    u64 all = (u64)found;
    for (int apart = 16; apart > 0; apart /= 2) all += __shfl_xor_sync(0xffffffffu, all, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = all;
    __syncthreads();
    if (threadIdx.x) return;
    for (int w = 1; w < 8; ++w) all += part[w];
    if (all) atomicAdd(joined, all);
}

extern "C" void join_probe(int small, int large, const int64_t* key, const int32_t* payload, const int64_t* probe, int32_t* matches, int64_t* sum,
                           int64_t* joined) {
    unsigned size = 2;
    while (size < 2u * (unsigned)small) size *= 2;
    u64 *table = nullptr, *total = nullptr;
    int* rows = nullptr;
    cudaMallocAsync(&table, sizeof(u64) * (size + 1), 0);
    cudaMallocAsync(&total, sizeof(u64) * (size + 1), 0);
    cudaMallocAsync(&rows, sizeof(int) * (size + 1), 0);
    cudaMemsetAsync(joined, 0, sizeof(int64_t));
    clear<<<(size + 256) / 256, 256>>>(size + 1, table, rows, total);
    build<<<(small + 255) / 256, 256>>>(small, size - 1, key, payload, table, rows, total);
    probe_all<<<(large + 255) / 256, 256>>>(large, size - 1, probe, table, rows, total, matches, sum, reinterpret_cast<u64*>(joined));
    cudaFreeAsync(table, 0);
    cudaFreeAsync(total, 0);
    cudaFreeAsync(rows, 0);
}
