#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// barcode_assign: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// thread_coarsening(points 2): several points a thread.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

constexpr int kBases = 16;
constexpr int kUnknown = 4;

__global__ void barcode_assign_1_map(int reads, int listed, const unsigned char* read, const unsigned char* whitelist,
                                     int* owner, unsigned char* distance) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const int r = blockIdx.x * 512 + threadIdx.x + part * 256;
        int nearest;
        int least;
        int count;
        if (r < reads) {
            nearest = -1;
            least = kBases + 1;
            for (int w = 0; w < listed; ++w) {
                count = 0;
                for (int k = 0; k <= 15; ++k) {
                    count +=
                        read[(unsigned long long)r * kBases + k] != whitelist[(unsigned long long)w * kBases + k] ||
                        read[(unsigned long long)r * kBases + k] == kUnknown;
                }
                const int differences_result_2 = count;
                const int count_2 = differences_result_2;
                if (count_2 < least) {
                    least = count_2;
                    nearest = w;
                } else {
                    if (count_2 == least) {
                        nearest = -1;
                    }
                }
            }
            owner[r] = nearest;
            distance[r] = (unsigned char)least;
        }
    }
}

extern "C" void barcode_assign(int reads, int listed, const unsigned char* read, const unsigned char* whitelist,
                               int* owner, unsigned char* distance) {
    if (reads >= 1) {
        barcode_assign_1_map<<<(reads - 1) / 512 + 1, 256>>>(reads, listed, read, whitelist, owner, distance);
    }
}