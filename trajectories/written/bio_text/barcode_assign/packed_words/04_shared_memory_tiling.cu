// Barcode assignment: each block packs tiles of the whitelist into shared memory; one thread per read.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBases = 16, kUnknown = 4;
constexpr int kNone = (kBases + 1) << 16;  // above every key of distance * 65536 + index
constexpr int kThreads = 256;
constexpr int kTile = 1024;  // whitelist entries at a time

// Four bits a base with one of them set, none for an unknown base.
__device__ unsigned long long one_hot(const uint8_t* bases) {
    unsigned long long word = 0;
    for (int k = 0; k < kBases; ++k)
        if (bases[k] != kUnknown) word |= 1ULL << (4 * k + bases[k]);
    return word;
}

__global__ void assign(int reads, int listed, const uint8_t* read, const uint8_t* whitelist, int* owner,
                       uint8_t* distance) {
    __shared__ unsigned long long tile[kTile];
    const int r = blockIdx.x * kThreads + threadIdx.x;
    const unsigned long long own = r < reads ? one_hot(read + (size_t)r * kBases) : 0;
    int best = kNone, second = kNone;
    for (int first = 0; first < listed; first += kTile) {
        const int count = min(kTile, listed - first);
        __syncthreads();
        for (int w = threadIdx.x; w < count; w += kThreads) tile[w] = one_hot(whitelist + (size_t)(first + w) * kBases);
        __syncthreads();
        for (int w = 0; w < count; ++w) {
            int key = (kBases - __popcll(own & tile[w])) << 16 | (first + w);
            second = min(second, max(best, key));
            best = min(best, key);
        }
    }
    if (r >= reads) return;
    owner[r] = best >> 16 == second >> 16 ? -1 : best & 0xFFFF;
    distance[r] = (uint8_t)(best >> 16);
}

extern "C" void barcode_assign(int reads, int listed, const uint8_t* read, const uint8_t* whitelist, int* owner,
                               uint8_t* distance) {
    assign<<<(reads - 1) / kThreads + 1, kThreads>>>(reads, listed, read, whitelist, owner, distance);
}
