#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// phred_trim: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// block_size_tuning(block 128): another block shape.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
// thread_coarsening(points 2): several points a thread.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(128, 2)
    phred_trim_1_map(int reads, int length, int threshold, const unsigned char* quality, const float* chance, int* cut,
                     float* errors) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const int r = blockIdx.x * 256 + threadIdx.x + part * 128;
        if (r < reads) {
            int kept = length;
            int best = 0;
            const int k = length - 1;
            int sum = 0;
            for (int k_k = k; k_k >= 0; --k_k) {
                sum += threshold - quality[(unsigned long long)r * length + k_k];
                if (sum < 0) {
                    break;
                }
                if (sum > best) {
                    best = sum;
                    kept = k_k;
                }
            }
            float expected = 0.0f;
            for (int k_2 = 0; k_2 < kept; ++k_2) {
                expected += chance[quality[(unsigned long long)r * length + k_2]];
            }
            cut[r] = kept;
            errors[r] = expected;
        }
    }
}

extern "C" void phred_trim(int reads, int length, int threshold, const unsigned char* quality, const float* chance,
                           int* cut, float* errors) {
    if (reads >= 1) {
        phred_trim_1_map<<<(reads - 1) / 256 + 1, 128>>>(reads, length, threshold, quality, chance, cut, errors);
    }
}