#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// beam_power: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// grid_stride_loop(blocks 1056): a fixed number of blocks strides over all points.
// restrict_read_only: __restrict__ pointers, read-only ones const.
// loop_unrolling(factor 4): innermost loops unrolled.
// streaming_stores: what is touched once goes past the caches.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

struct Sample {
    float re;
    float im;
};

__global__ void beam_power_1_map(int angles, int sensors, int snapshots, const Sample* __restrict__ steering,
                                 const Sample* __restrict__ signal, float* __restrict__ power) {
    for (unsigned int point = blockIdx.x * 256 + threadIdx.x; point < (unsigned int)angles; point += gridDim.x * 256) {
        const int a = point;
        float total;
        float re;
        float im;
        total = 0.0f;
        for (int t = 0; t < snapshots; ++t) {
            re = 0.0f;
            im = 0.0f;
#pragma unroll 4
            for (int s = 0; s < sensors; ++s) {
                const float w_re = steering[a * sensors + s].re;
                const float w_im = steering[a * sensors + s].im;
                const float v_re = signal[t * sensors + s].re;
                const float v_im = signal[t * sensors + s].im;
                re += w_re * v_re + w_im * v_im;
                im += w_re * v_im - w_im * v_re;
            }
            total += re * re + im * im;
        }
        __stcs(&power[a], total / snapshots);
    }
}

extern "C" void beam_power(int angles, int sensors, int snapshots, const Sample* steering, const Sample* signal,
                           float* power) {
    if (angles >= 1) {
        beam_power_1_map<<<min((angles - 1) / 256 + 1, 1056), 256>>>(angles, sensors, snapshots, steering, signal,
                                                                     power);
    }
}