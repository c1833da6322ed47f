// Join probe: key, rows and sum of a slot lie together, so that a probe that ends at once touches one sector.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long u64;

constexpr u64 kFree = 0x8000000000000000ull;  // this key itself has the slot behind the table

struct alignas(32) Slot {
    u64 key, total, rows, spare;
};

__device__ unsigned home_of(u64 key, unsigned mask) {
    key ^= key >> 32;
    return (unsigned)(key * 0xd6e8feb86659fd93ull >> 32) & mask;
}

__global__ void clear(unsigned slots, Slot* table) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < slots) table[i] = {kFree, 0, 0, 0};
}

__global__ void build(int small, unsigned mask, const int64_t* in, const int32_t* payload, Slot* table) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= small) return;
    const u64 own = (u64)in[i];
    unsigned at = mask + 1;
    if (own != kFree) {
        for (at = home_of(own, mask);; at = (at + 1) & mask) {
            const u64 before = atomicCAS(&table[at].key, kFree, own);
            if (before == kFree || before == own) break;
        }
    }
    atomicAdd(&table[at].rows, 1ull);
    atomicAdd(&table[at].total, (u64)(long long)payload[i]);
}

__global__ void probe_all(int large, unsigned mask, const int64_t* __restrict__ probe, const Slot* __restrict__ table,
                          int32_t* __restrict__ matches, int64_t* __restrict__ sum, u64* joined) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    const u64 own = r < large ? (u64)probe[r] : kFree;
    unsigned at = mask + 1;
    if (own != kFree)
        for (at = home_of(own, mask); table[at].key != own && table[at].key != kFree; at = (at + 1) & mask) {}
    u64 all = r < large ? table[at].rows : 0;
    if (r < large) {
        matches[r] = (int32_t)all;
        sum[r] = (int64_t)table[at].total;
    }
    __shared__ u64 part[8];
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
    Slot* table = nullptr;
    cudaMallocAsync(&table, sizeof(Slot) * (size + 1), 0);
    cudaMemsetAsync(joined, 0, sizeof(int64_t));
    clear<<<(size + 256) / 256, 256>>>(size + 1, table);
    build<<<(small + 255) / 256, 256>>>(small, size - 1, key, payload, table);
    probe_all<<<(large + 255) / 256, 256>>>(large, size - 1, probe, table, matches, sum, reinterpret_cast<u64*>(joined));
    cudaFreeAsync(table, 0);
}
