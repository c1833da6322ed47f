#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// sobel: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// thread_coarsening(points 2): several points a thread.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
// streaming_stores: what is touched once goes past the caches.
// restrict_read_only: __restrict__ pointers, read-only ones const.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(256, 2)
    sobel_1_map(int height, int width, const unsigned char* __restrict__ image, unsigned char* __restrict__ edges) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const long long point = (long long)blockIdx.x * 512 + threadIdx.x + part * 256;
        const int x = point % width;
        const int y = point / width;
        if (y < height) {
            const int left = max(x - 1, 0);
            const int right = min(x + 1, width - 1);
            const int gx =
                image[(unsigned long long)max(y - 1, 0) * width + right] -
                image[(unsigned long long)max(y - 1, 0) * width + left] +
                2 * (image[(unsigned long long)y * width + right] - image[(unsigned long long)y * width + left]) +
                image[(unsigned long long)min(y + 1, height - 1) * width + right] -
                image[(unsigned long long)min(y + 1, height - 1) * width + left];
            const int gy = image[(unsigned long long)min(y + 1, height - 1) * width + left] +
                           2 * image[(unsigned long long)min(y + 1, height - 1) * width + x] +
                           image[(unsigned long long)min(y + 1, height - 1) * width + right] -
                           image[(unsigned long long)max(y - 1, 0) * width + left] -
                           2 * image[(unsigned long long)max(y - 1, 0) * width + x] -
                           image[(unsigned long long)max(y - 1, 0) * width + right];
            __stcs(&edges[(unsigned long long)y * width + x], (unsigned char)min(255, abs(gx) + abs(gy)));
        }
    }
}

extern "C" void sobel(int height, int width, const unsigned char* image, unsigned char* edges) {
    if (height >= 1 && width >= 1) {
        sobel_1_map<<<((long long)height * width - 1) / 512 + 1, 256>>>(height, width, image, edges);
    }
}