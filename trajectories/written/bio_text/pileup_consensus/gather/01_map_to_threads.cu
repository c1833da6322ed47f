// Pileup: one thread per position, which collects from the sorted reads that cover it.
#include <cuda_runtime.h>

#include <cstdint>

// The first read that starts at or after `bound`.
__device__ int first_from(int bound, int reads, const int* start) {
    int low = 0, high = reads;
    while (low < high) {
        int middle = (low + high) / 2;
        if (start[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__device__ void store(int g, const uint32_t (&sum)[4], uint32_t* pileup, uint8_t* consensus) {
    uint8_t best = 4;
    uint32_t most = 0;
#pragma unroll
    for (int b = 0; b < 4; ++b) {
        pileup[4 * (size_t)g + b] = sum[b];
        if (sum[b] > most) {
            most = sum[b];
            best = (uint8_t)b;
        }
    }
    consensus[g] = best;
}

__global__ void collect(int reads, int length, int genome, const int* start, const uint8_t* base,
                        const uint8_t* quality, uint32_t* pileup, uint8_t* consensus) {
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= genome) return;
    const int begin = first_from(g - length + 1, reads, start), end = first_from(g + 1, reads, start);
    uint32_t sum[4] = {0, 0, 0, 0};
    for (int r = begin; r < end; ++r) {
        const size_t at = (size_t)r * length + g - start[r];
#pragma unroll
        for (int b = 0; b < 4; ++b)
            if (base[at] == b) sum[b] += quality[at];
    }
    store(g, sum, pileup, consensus);
}

extern "C" void pileup_consensus(int reads, int length, int genome, const int* start, const uint8_t* base,
                                 const uint8_t* quality, uint32_t* pileup, uint8_t* consensus) {
    const int threads = 256;
    collect<<<(genome - 1) / threads + 1, threads>>>(reads, length, genome, start, base, quality, pileup, consensus);
}
