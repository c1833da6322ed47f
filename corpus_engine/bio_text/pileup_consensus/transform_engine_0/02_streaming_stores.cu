#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// pileup_consensus: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2, 3]: one thread an output element.
// streaming_stores [nest 1, 2, 3]: what is touched once goes past the caches.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void pileup_consensus_1_map(int genome, unsigned int* pileup) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i < 4 * genome) {
        __stcs(&pileup[i], 0);
    }
}

__global__ void pileup_consensus_2_update(int reads, int length, const int* start, const unsigned char* base,
                                          const unsigned char* quality, unsigned int* pileup) {
    const int r = blockIdx.x * 256 + threadIdx.x;
    long long column_at;
    if (r < reads) {
        column_at = 4 * (unsigned long long)__ldcs(&start[r]);
        for (int k = 0; k < length; ++k) {
            if (__ldcs(&base[(long long)length * (long long)r + (long long)k]) < 4) {
                atomicAdd(&pileup[column_at + 4 * (long long)k +
                                  __ldcs(&base[(long long)length * (long long)r + (long long)k])],
                          (unsigned int)(__ldcs(&quality[(long long)length * (long long)r + (long long)k])));
            }
        }
    }
}

__global__ void pileup_consensus_3_map(int genome, const unsigned int* pileup, unsigned char* consensus) {
    const int g = blockIdx.x * 256 + threadIdx.x;
    unsigned char best;
    unsigned int most;
    if (g < genome) {
        best = 4;
        most = 0;
        for (int b = 0; b <= 3; ++b) {
            if (__ldcs(&pileup[4 * (unsigned long long)g + b]) > most) {
                most = __ldcs(&pileup[4 * (unsigned long long)g + b]);
                best = (unsigned char)b;
            }
        }
        __stcs(&consensus[g], best);
    }
}

extern "C" void pileup_consensus(int reads, int length, int genome, const int* start, const unsigned char* base,
                                 const unsigned char* quality, unsigned int* pileup, unsigned char* consensus) {
    if (genome >= 1) {
        pileup_consensus_1_map<<<(4 * genome - 1) / 256 + 1, 256>>>(genome, pileup);
    }
    if (reads >= 1) {
        pileup_consensus_2_update<<<(reads - 1) / 256 + 1, 256>>>(reads, length, start, base, quality, pileup);
    }
    if (genome >= 1) {
        pileup_consensus_3_map<<<(genome - 1) / 256 + 1, 256>>>(genome, pileup, consensus);
    }
}