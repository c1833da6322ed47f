// Barcode assignment: one warp for four reads, which share every load of the whitelist's bit planes.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBases = 16;
constexpr int kNone = (kBases + 1) << 16;  // above every key of distance * 65536 + index
constexpr int kWarps = 8;                  // per block
constexpr int kEach = 4;                   // reads per warp

struct Planes {
    uint16_t *low, *high, *unknown;  // bit k belongs to base k
};

__global__ void split(int listed, const uint8_t* whitelist, Planes planes) {
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= listed) return;
    unsigned int low = 0, high = 0, unknown = 0;
    for (int k = 0; k < kBases; ++k) {
        unsigned int base = whitelist[(size_t)w * kBases + k];
        low |= (base & 1) << k;
        high |= (base >> 1 & 1) << k;
        unknown |= (base >> 2 & 1) << k;
    }
    planes.low[w] = (uint16_t)low;
    planes.high[w] = (uint16_t)high;
    planes.unknown[w] = (uint16_t)unknown;
}

__global__ void assign(int reads, int listed, const uint8_t* read, Planes planes, int* owner, uint8_t* distance) {
    const unsigned int all = 0xFFFFFFFFu;
    const int r0 = (blockIdx.x * kWarps + threadIdx.y) * kEach, lane = threadIdx.x;
    if (r0 >= reads) return;  // the whole warp leaves
    unsigned int low[kEach], high[kEach], unknown[kEach];
    int best[kEach], second[kEach];
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
        const int r = min(r0 + e, reads - 1);
        const unsigned int base = lane < kBases ? read[(size_t)r * kBases + lane] : 0;
        low[e] = __ballot_sync(all, base & 1);
        high[e] = __ballot_sync(all, base & 2);
        unknown[e] = __ballot_sync(all, base & 4);
        best[e] = second[e] = kNone;
    }
    for (int w = lane; w < listed; w += 32) {
        const unsigned int entry_low = planes.low[w], entry_high = planes.high[w], entry_unknown = planes.unknown[w];
#pragma unroll
        for (int e = 0; e < kEach; ++e) {
            int count = __popc((low[e] ^ entry_low) | (high[e] ^ entry_high) | unknown[e] | entry_unknown);
            int key = count << 16 | w;
            second[e] = min(second[e], max(best[e], key));
            best[e] = min(best[e], key);
        }
    }
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
        for (int step = 16; step > 0; step /= 2) {
            int other_best = __shfl_xor_sync(all, best[e], step), other_second = __shfl_xor_sync(all, second[e], step);
            second[e] = min(max(best[e], other_best), min(second[e], other_second));
            best[e] = min(best[e], other_best);
        }
        if (lane == 0 && r0 + e < reads) {
            owner[r0 + e] = best[e] >> 16 == second[e] >> 16 ? -1 : best[e] & 0xFFFF;
            distance[r0 + e] = (uint8_t)(best[e] >> 16);
        }
    }
}

extern "C" void barcode_assign(int reads, int listed, const uint8_t* read, const uint8_t* whitelist, int* owner,
                               uint8_t* distance) {
    uint16_t* scratch = nullptr;
    cudaMalloc(&scratch, 3 * listed * sizeof(uint16_t));
    Planes planes{scratch, scratch + listed, scratch + 2 * listed};
    split<<<(listed - 1) / 128 + 1, 128>>>(listed, whitelist, planes);
    const int per_block = kWarps * kEach;
    assign<<<(reads - 1) / per_block + 1, dim3(32, kWarps)>>>(reads, listed, read, planes, owner, distance);
    cudaFree(scratch);
}
