#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// kmer_count: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// thread_coarsening(points 2) [nest 1, 2]: several points a thread.
// loop_unrolling(factor 4) [nest 2]: innermost loops unrolled.
// streaming_stores [nest 1]: what is touched once goes past the caches.
// restrict_read_only [nest 1, 2]: __restrict__ pointers, read-only ones const.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void kmer_count_1_map(unsigned int* __restrict__ counts) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const int code = blockIdx.x * 512 + threadIdx.x + part * 256;
        if (code <= 4095) {
            __stcs(&counts[code], 0);
        }
    }
}

__global__ void kmer_count_2_update(int length, const unsigned char* __restrict__ bases,
                                    unsigned int* __restrict__ counts) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const int start = blockIdx.x * 512 + threadIdx.x + part * 256;
        int code_2;
        if (length >= start + 6) {
            code_2 = 0;
#pragma unroll 4
            for (int k = 0; k <= 5; ++k) {
                code_2 = 4 * code_2 + bases[start + k];
            }
            atomicAdd(&counts[code_2], (unsigned int)(1));
        }
    }
}

extern "C" void kmer_count(int length, const unsigned char* bases, unsigned int* counts) {
    kmer_count_1_map<<<4095 / 512 + 1, 256>>>(counts);
    if (length >= 6) {
        kmer_count_2_update<<<(length - 6) / 512 + 1, 256>>>(length, bases, counts);
    }
}