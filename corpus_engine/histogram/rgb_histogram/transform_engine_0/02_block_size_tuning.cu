#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// rgb_histogram: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// block_size_tuning(block 128) [nest 1, 2]: another block shape.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void rgb_histogram_1_map(unsigned int* counts) {
    const int bin = blockIdx.x * 128 + threadIdx.x;
    if (bin <= 191) {
        counts[bin] = 0;
    }
}

__global__ void rgb_histogram_2_update(int pixels, const unsigned char* rgb, unsigned int* counts) {
    const long long point = (long long)blockIdx.x * 128 + threadIdx.x;
    const int channel = point % (2 + 1);
    const int pixel = point / (2 + 1);
    if (pixel < pixels) {
        const unsigned char value = rgb[3 * (unsigned long long)pixel + channel];
        atomicAdd(&counts[64 * channel + value / 4], (unsigned int)(1));
    }
}

extern "C" void rgb_histogram(int pixels, const unsigned char* rgb, unsigned int* counts) {
    rgb_histogram_1_map<<<191 / 128 + 1, 128>>>(counts);
    if (pixels >= 1) {
        rgb_histogram_2_update<<<((long long)pixels * (2 + 1) - 1) / 128 + 1, 128>>>(pixels, rgb, counts);
    }
}