// Barcode assignment: one warp per read, barcodes as bit planes in arrays of their own.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBases = 16;
constexpr int kNone = (kBases + 1) << 16;  // above every key of distance * 65536 + index
constexpr int kWarps = 8;                  // reads per block

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
    const int r = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
    if (r >= reads) return;  // the whole warp leaves
    const unsigned int base = lane < kBases ? read[(size_t)r * kBases + lane] : 0;
    const unsigned int low = __ballot_sync(all, base & 1), high = __ballot_sync(all, base & 2);
    const unsigned int unknown = __ballot_sync(all, base & 4);
    int best = kNone, second = kNone;
    for (int w = lane; w < listed; w += 32) {
        int count = __popc((low ^ planes.low[w]) | (high ^ planes.high[w]) | unknown | planes.unknown[w]);
        int key = count << 16 | w;
        second = min(second, max(best, key));
        best = min(best, key);
    }
    for (int step = 16; step > 0; step /= 2) {
        int other_best = __shfl_xor_sync(all, best, step), other_second = __shfl_xor_sync(all, second, step);
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
    uint16_t* scratch = nullptr;
    cudaMalloc(&scratch, 3 * listed * sizeof(uint16_t));
    Planes planes{scratch, scratch + listed, scratch + 2 * listed};
    split<<<(listed - 1) / 128 + 1, 128>>>(listed, whitelist, planes);
    assign<<<(reads - 1) / kWarps + 1, dim3(32, kWarps)>>>(reads, listed, read, planes, owner, distance);
    cudaFree(scratch);
}
