// Pileup: one warp per read with atomics, then one thread per position for the consensus.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void add_reads(int reads, int length, const int* start, const uint8_t* base, const uint8_t* quality,
                          uint32_t* pileup) {
    int r = blockIdx.x * blockDim.y + threadIdx.y;
    if (r >= reads) return;
    const uint8_t *bases = base + (size_t)r * length, *qualities = quality + (size_t)r * length;
    uint32_t* column = pileup + 4 * (size_t)start[r];
    for (int k = threadIdx.x; k < length; k += 32)
        if (bases[k] < 4) atomicAdd(&column[4 * k + bases[k]], (uint32_t)qualities[k]);
}

__global__ void call(int genome, const uint32_t* pileup, uint8_t* consensus) {
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= genome) return;
    uint8_t best = 4;
    uint32_t most = 0;
    for (int b = 0; b < 4; ++b)
        if (pileup[4 * (size_t)g + b] > most) {
            most = pileup[4 * (size_t)g + b];
            best = (uint8_t)b;
        }
    consensus[g] = best;
}

extern "C" void pileup_consensus(int reads, int length, int genome, const int* start, const uint8_t* base,
                                 const uint8_t* quality, uint32_t* pileup, uint8_t* consensus) {
    const int threads = 256;
    cudaMemsetAsync(pileup, 0, 4 * (size_t)genome * sizeof(uint32_t));
    const int warps = 8;
    add_reads<<<(reads - 1) / warps + 1, dim3(32, warps)>>>(reads, length, start, base, quality, pileup);
    call<<<(genome - 1) / threads + 1, threads>>>(genome, pileup, consensus);
}
