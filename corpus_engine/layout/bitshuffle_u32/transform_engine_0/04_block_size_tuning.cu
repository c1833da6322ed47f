#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// bitshuffle_u32: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// restrict_read_only [nest 1, 2]: __restrict__ pointers, read-only ones const.
// thread_coarsening(points 2) [nest 1]: several points a thread.
// block_size_tuning(block 128) [nest 1]: another block shape.
//
// The nest at line 10 of the reference runs in one thread: its iterations depend on each other.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void bitshuffle_u32_1_map(unsigned int* __restrict__ planes, long long base) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const int b = blockIdx.x * 256 + threadIdx.x + part * 128;
        if (b <= 31) {
            planes[base + b] = 0;
        }
    }
}

__global__ void bitshuffle_u32_2_scalars(unsigned int* previous) { previous[0] = 0; }

__global__ void bitshuffle_u32_3_serial(int n, const unsigned int* __restrict__ samples,
                                        unsigned int* __restrict__ planes, unsigned int* __restrict__ previous,
                                        long long base) {
    if (base >= 0 && base % 32 == 0) {
        for (int j = 0; j <= min(31, -base + n - 1); ++j) {
            unsigned int difference = samples[base + j] - previous[0];
            previous[0] = samples[base + j];
            int b_2 = 0;
            while (difference != 0) {
                planes[base + b_2] = planes[base + b_2] | (difference & 1u) << j;
                b_2 += 1;
                difference = difference >> 1;
            }
        }
    }
}

extern "C" void bitshuffle_u32(int n, const unsigned int* samples, unsigned int* planes) {
    unsigned int* previous = nullptr;
    if (cudaMalloc(&previous, sizeof(unsigned int)) == cudaSuccess) {
        for (long long base = 0; base < n; base += 32) {
            if (base >= 0 && base < n && base % 32 == 0) {
                bitshuffle_u32_1_map<<<31 / 256 + 1, 128>>>(planes, base);
            }
            bitshuffle_u32_2_scalars<<<1, 1>>>(previous);
            bitshuffle_u32_3_serial<<<1, 1>>>(n, samples, planes, previous, base);
        }
    }
    cudaFree(previous);
}