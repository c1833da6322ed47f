// Barcode assignment: barcodes loaded as vectors, tiles in shared memory, two reads by two entries in registers.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBases = 16, kUnknown = 4;
constexpr int kNone = (kBases + 1) << 16;  // above every key of distance * 65536 + index
constexpr int kThreads = 256;
constexpr int kTile = 1024;  // whitelist entries at a time
constexpr int kEach = 2;     // reads per thread, kThreads apart

// Four bits a base with one of them set, none for an unknown base.
__device__ unsigned long long one_hot(const uint8_t* bases) {
    unsigned long long word = 0;
    if (reinterpret_cast<uintptr_t>(bases) % 16 == 0) {
        const uint4 all = *reinterpret_cast<const uint4*>(bases);
        const unsigned int four[4] = {all.x, all.y, all.z, all.w};
#pragma unroll
        for (int k = 0; k < kBases; ++k) {
            const unsigned int base = four[k / 4] >> 8 * (k % 4) & 0xFF;
            word |= (unsigned long long)(base < kUnknown ? 1u << base : 0u) << 4 * k;
        }
        return word;
    }
    for (int k = 0; k < kBases; ++k)
        if (bases[k] != kUnknown) word |= 1ULL << (4 * k + bases[k]);
    return word;
}

// Best and second best key so far.
struct Nearest {
    int best = kNone, second = kNone;

    __device__ void meet(unsigned long long own, unsigned long long entry, int index) {
        int key = (kBases - __popcll(own & entry)) << 16 | index;
        second = min(second, max(best, key));
        best = min(best, key);
    }
};

__global__ void assign(int reads, int listed, const uint8_t* read, const uint8_t* whitelist, int* owner,
                       uint8_t* distance) {
    __shared__ ulonglong2 tile[kTile / 2];
    unsigned long long* words = reinterpret_cast<unsigned long long*>(tile);
    const int r0 = blockIdx.x * kThreads * kEach + threadIdx.x;
    unsigned long long own[kEach];
    Nearest nearest[kEach];
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
        const int r = r0 + e * kThreads;
        own[e] = r < reads ? one_hot(read + (size_t)r * kBases) : 0;
    }
    for (int first = 0; first < listed; first += kTile) {
        const int count = min(kTile, listed - first);
        __syncthreads();
        for (int w = threadIdx.x; w < count; w += kThreads) words[w] = one_hot(whitelist + (size_t)(first + w) * kBases);
        __syncthreads();
#pragma unroll 2
        for (int w = 0; w + 1 < count; w += 2) {
            const ulonglong2 two = tile[w / 2];
#pragma unroll
            for (int e = 0; e < kEach; ++e) {
                nearest[e].meet(own[e], two.x, first + w);
                nearest[e].meet(own[e], two.y, first + w + 1);
            }
        }
        if (count % 2 == 1)
            for (int e = 0; e < kEach; ++e) nearest[e].meet(own[e], words[count - 1], first + count - 1);
    }
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
        const int r = r0 + e * kThreads, best = nearest[e].best, second = nearest[e].second;
        if (r >= reads) continue;
        owner[r] = best >> 16 == second >> 16 ? -1 : best & 0xFFFF;
        distance[r] = (uint8_t)(best >> 16);
    }
}

extern "C" void barcode_assign(int reads, int listed, const uint8_t* read, const uint8_t* whitelist, int* owner,
                               uint8_t* distance) {
    const int per_block = kThreads * kEach;
    assign<<<(reads - 1) / per_block + 1, kThreads>>>(reads, listed, read, whitelist, owner, distance);
}
