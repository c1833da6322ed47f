// Barcode assignment: one-hot words, best and second best key of distance and index without branches.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBases = 16, kUnknown = 4;
constexpr int kNone = (kBases + 1) << 16;  // above every key of distance * 65536 + index

// Four bits a base with one of them set, none for an unknown base.
__device__ unsigned long long one_hot(const uint8_t* bases) {
    unsigned long long word = 0;
    for (int k = 0; k < kBases; ++k)
        if (bases[k] != kUnknown) word |= 1ULL << (4 * k + bases[k]);
    return word;
}

__global__ void pack(int listed, const uint8_t* whitelist, unsigned long long* packed) {
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w < listed) packed[w] = one_hot(whitelist + (size_t)w * kBases);
}

__global__ void assign(int reads, int listed, const uint8_t* read, const unsigned long long* packed, int* owner,
                       uint8_t* distance) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= reads) return;
    const unsigned long long own = one_hot(read + (size_t)r * kBases);
    int best = kNone, second = kNone;
    for (int w = 0; w < listed; ++w) {
        int key = (kBases - __popcll(own & packed[w])) << 16 | w;
        second = min(second, max(best, key));
        best = min(best, key);
    }
    owner[r] = best >> 16 == second >> 16 ? -1 : best & 0xFFFF;
    distance[r] = (uint8_t)(best >> 16);
}

extern "C" void barcode_assign(int reads, int listed, const uint8_t* read, const uint8_t* whitelist, int* owner,
                               uint8_t* distance) {
    const int threads = 128;
    unsigned long long* packed = nullptr;
    cudaMalloc(&packed, listed * sizeof(unsigned long long));
    pack<<<(listed - 1) / threads + 1, threads>>>(listed, whitelist, packed);
    assign<<<(reads - 1) / threads + 1, threads>>>(reads, listed, read, packed, owner, distance);
    cudaFree(packed);
}
