// Pileup: a block adds 128 sorted reads in a private stretch, two 16-bit sums a word; then one thread per position.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarps = 8;
constexpr int kGroup = 128;     // reads per block
constexpr int kStretch = 1024;  // private positions

__global__ void add_reads(int reads, int length, int genome, const int* start, const uint8_t* base,
                          const uint8_t* quality, uint32_t* pileup) {
    // Sums of bases 2 h and 2 h + 1 in the halves of a word: at most 128 * 255 each.
    __shared__ uint32_t stretch[2 * kStretch];
    const int first = blockIdx.x * kGroup, last = min(first + kGroup, reads) - 1;
    const int origin = start[first], used = min(start[last] + length - origin, kStretch);
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int i = t; i < 2 * used; i += 32 * kWarps) stretch[i] = 0;
    __syncthreads();
    for (int r = first + threadIdx.y; r <= last; r += kWarps) {
        const uint8_t *bases = base + (size_t)r * length, *qualities = quality + (size_t)r * length;
        const int offset = start[r] - origin;
        for (int k = threadIdx.x; k < length; k += 32) {
            if (bases[k] >= 4) continue;
            if (offset + k < kStretch)
                atomicAdd(&stretch[2 * (offset + k) + bases[k] / 2], (uint32_t)qualities[k] << 16 * (bases[k] & 1));
            else
                atomicAdd(&pileup[4 * (size_t)(start[r] + k) + bases[k]], (uint32_t)qualities[k]);
        }
    }
    __syncthreads();
    for (int i = t; i < 4 * used; i += 32 * kWarps) {
        uint32_t sum = stretch[i / 2] >> 16 * (i & 1) & 0xFFFF;
        if (sum > 0) atomicAdd(&pileup[4 * (size_t)origin + i], sum);
    }
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
