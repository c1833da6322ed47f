#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// transpose: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// streaming_stores: what is touched once goes past the caches.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
// vectorised_access(width 4): neighbouring elements loaded and stored together.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(256, 2) transpose_1_map(int rows, int cols, const float* in, float* out) {
    const long long point = (long long)blockIdx.x * 256 + threadIdx.x;
    const int c_first = (point % ((cols - 1) / 4 + 1)) * 4;
    const int r = point / ((cols - 1) / 4 + 1);
    const bool whole_groups = (size_t)in % 16 == 0 && cols % 4 == 0;
    // 4 neighbouring points: one wide access an array; at the ends, and off boundaries, one by one.
    if (whole_groups && cols >= c_first + 4 && r < rows) {
        alignas(16) float in_lanes[4];
        *reinterpret_cast<float4*>(in_lanes) = __ldcs(reinterpret_cast<const float4*>(&in[cols * r + c_first]));
#pragma unroll
        for (int lane = 0; lane < 4; ++lane) {
            const int c = c_first + lane;
            __stcs(&out[(unsigned long long)c * rows + r], in_lanes[lane]);
        }
    } else {
#pragma unroll
        for (int lane = 0; lane < 4; ++lane) {
            const int c = c_first + lane;
            if (c < cols && r < rows) {
                __stcs(&out[(unsigned long long)c * rows + r], __ldcs(&in[(unsigned long long)r * cols + c]));
            }
        }
    }
}

extern "C" void transpose(int rows, int cols, const float* in, float* out) {
    if (cols >= 1 && rows >= 1) {
        transpose_1_map<<<((long long)rows * ((cols - 1) / 4 + 1) - 1) / 256 + 1, 256>>>(rows, cols, in, out);
    }
}