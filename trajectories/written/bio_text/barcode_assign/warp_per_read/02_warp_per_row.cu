// Barcode assignment: one warp per read, lanes over the whitelist.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBases = 16, kUnknown = 4;
constexpr int kNone = (kBases + 1) << 16;  // above every key of distance * 65536 + index
constexpr int kWarps = 8;                  // reads per block

__device__ int differences(const uint8_t* own, const uint8_t* entry) {
    int count = 0;
    for (int k = 0; k < kBases; ++k) count += own[k] != entry[k] || own[k] == kUnknown;
    return count;
}

__global__ void assign(int reads, int listed, const uint8_t* read, const uint8_t* whitelist, int* owner,
                       uint8_t* distance) {
    const int r = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
    if (r >= reads) return;  // the whole warp leaves
    int best = kNone, second = kNone;
    for (int w = lane; w < listed; w += 32) {
        int key = differences(read + (size_t)r * kBases, whitelist + (size_t)w * kBases) << 16 | w;
        second = min(second, max(best, key));
        best = min(best, key);
    }
    for (int step = 16; step > 0; step /= 2) {
        int other_best = __shfl_xor_sync(0xFFFFFFFFu, best, step);
        int other_second = __shfl_xor_sync(0xFFFFFFFFu, second, step);
        second = min(max(best, other_best), min(second, other_second));
        best = min(best, other_best);
    }
    if (lane == 0) {
        owner[r] = best >> 16 == second >> 16 ? -1 : best & 0xFFFF;
        distance[r] = (uint8_t)(best >> 16);
    }
}

extern "C" void barcode_assign(int reads, int listed, const uint8_t* read, const uint8_t* whitelist, int* owner,
                               uint8_t* distance) {
    assign<<<(reads - 1) / kWarps + 1, dim3(32, kWarps)>>>(reads, listed, read, whitelist, owner, distance);
}
