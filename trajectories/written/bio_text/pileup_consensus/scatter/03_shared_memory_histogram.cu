// Pileup: a block adds 128 sorted reads in a private stretch in shared memory; then one thread per position.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarps = 8;
constexpr int kGroup = 128;     // reads per block
constexpr int kStretch = 1024;  // private positions

__global__ void add_reads(int reads, int length, int genome, const int* start, const uint8_t* base,
                          const uint8_t* quality, uint32_t* pileup) {
    __shared__ uint32_t stretch[4 * kStretch];
    const int first = blockIdx.x * kGroup, last = min(first + kGroup, reads) - 1;
    const int origin = start[first], used = min(start[last] + length - origin, kStretch);
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int i = t; i < 4 * used; i += 32 * kWarps) stretch[i] = 0;
    __syncthreads();
    for (int r = first + threadIdx.y; r <= last; r += kWarps) {
        const uint8_t *bases = base + (size_t)r * length, *qualities = quality + (size_t)r * length;
        const int offset = start[r] - origin;
        for (int k = threadIdx.x; k < length; k += 32) {
            if (bases[k] >= 4) continue;
            if (offset + k < kStretch)
                atomicAdd(&stretch[4 * (offset + k) + bases[k]], (uint32_t)qualities[k]);
            else
                atomicAdd(&pileup[4 * (size_t)(start[r] + k) + bases[k]], (uint32_t)qualities[k]);
        }
    }
    __syncthreads();
    for (int i = t; i < 4 * used; i += 32 * kWarps)
        if (stretch[i] > 0) atomicAdd(&pileup[4 * (size_t)origin + i], stretch[i]);
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
    add_reads<<<(reads - 1) / kGroup + 1, dim3(32, kWarps)>>>(reads, length, genome, start, base, quality, pileup);
    call<<<(genome - 1) / threads + 1, threads>>>(genome, pileup, consensus);
}
