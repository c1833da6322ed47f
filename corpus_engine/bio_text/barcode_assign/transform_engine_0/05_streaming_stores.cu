#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// barcode_assign: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// thread_coarsening(points 2): several points a thread.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
// block_size_tuning(block 128): another block shape.
// streaming_stores: what is touched once goes past the caches.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

constexpr int kBases = 16;
constexpr int kUnknown = 4;

__global__ void __launch_bounds__(128, 2)
    barcode_assign_1_map(int reads, int listed, const unsigned char* read, const unsigned char* whitelist, int* owner,
                         unsigned char* distance) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const int r = blockIdx.x * 256 + threadIdx.x + part * 128;
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
            __stcs(&owner[r], nearest);
            __stcs(&distance[r], (unsigned char)least);
        }
    }
}

extern "C" void barcode_assign(int reads, int listed, const unsigned char* read, const unsigned char* whitelist,
                               int* owner, unsigned char* distance) {
    if (reads >= 1) {
        barcode_assign_1_map<<<(reads - 1) / 256 + 1, 128>>>(reads, listed, read, whitelist, owner, distance);
    }
}