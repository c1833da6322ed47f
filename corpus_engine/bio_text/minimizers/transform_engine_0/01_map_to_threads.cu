#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// minimizers: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
//
// The nest at line 14 of the reference runs in one thread: its iterations depend on each other.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

constexpr int kLetters = 15;
constexpr int kWindow = 10;

__device__ inline unsigned int mixed(unsigned int v) {
    unsigned int v_now = v;
    v_now = (v_now ^ v_now >> 15) * 739982445u;
    v_now = (v_now ^ v_now >> 12) * 695872825u;
    return v_now ^ v_now >> 15;
}

__global__ void minimizers_1_scalars(unsigned int* code) { code[0] = 0; }

__global__ void minimizers_2_serial(int n, const unsigned char* base, unsigned int* least, int* place,
                                    unsigned int* code, unsigned int* ring) {
    int kmer;
    int window;
    int first;
    for (int last = 0; last < n; ++last) {
        code[0] = (code[0] << 2 | base[last]) & ((1u << 2 * kLetters) - 1);
        kmer = last - kLetters + 1;
        window = kmer - kWindow + 1;
        if (last >= 14) {
            ring[kmer % kWindow] = mixed(code[0]);
            if (last >= 23) {
                first = window;
                for (int i = last - 22; i < last - 13; ++i) {
                    if (ring[i % kWindow] < ring[first % kWindow]) {
                        first = i;
                    }
                }
                least[window] = ring[first % kWindow];
                place[window] = first;
            }
        }
    }
}

extern "C" void minimizers(int n, const unsigned char* base, unsigned int* least, int* place) {
    unsigned int* code = nullptr;
    unsigned int* ring = nullptr;
    if (cudaMalloc(&code, sizeof(unsigned int)) == cudaSuccess &&
        cudaMalloc(&ring, 10 * sizeof(unsigned int)) == cudaSuccess) {
        minimizers_1_scalars<<<1, 1>>>(code);
        minimizers_2_serial<<<1, 1>>>(n, base, least, place, code, ring);
    }
    cudaFree(code);
    cudaFree(ring);
}