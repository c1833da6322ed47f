#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// kmer_count: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void kmer_count_1_map(unsigned int* counts) {
    const int code = blockIdx.x * 256 + threadIdx.x;
    if (code <= 4095) {
        counts[code] = 0;
    }
}

__global__ void kmer_count_2_update(int length, const unsigned char* bases, unsigned int* counts) {
    const int start = blockIdx.x * 256 + threadIdx.x;
    int code_2;
    if (length >= start + 6) {
        code_2 = 0;
        for (int k = 0; k <= 5; ++k) {
            code_2 = 4 * code_2 + bases[start + k];
        }
        atomicAdd(&counts[code_2], (unsigned int)(1));
    }
}

extern "C" void kmer_count(int length, const unsigned char* bases, unsigned int* counts) {
    kmer_count_1_map<<<4095 / 256 + 1, 256>>>(counts);
    if (length >= 6) {
        kmer_count_2_update<<<(length - 6) / 256 + 1, 256>>>(length, bases, counts);
    }
}