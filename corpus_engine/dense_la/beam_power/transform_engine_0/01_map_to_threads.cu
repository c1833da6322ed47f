#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// beam_power: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

struct Sample {
    float re;
    float im;
};

__global__ void beam_power_1_map(int angles, int sensors, int snapshots, const Sample* steering, const Sample* signal,
                                 float* power) {
    const int a = blockIdx.x * 256 + threadIdx.x;
    float total;
    float re;
    float im;
    if (a < angles) {
        total = 0.0f;
        for (int t = 0; t < snapshots; ++t) {
            re = 0.0f;
            im = 0.0f;
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
        power[a] = total / snapshots;
    }
}

extern "C" void beam_power(int angles, int sensors, int snapshots, const Sample* steering, const Sample* signal,
                           float* power) {
    if (angles >= 1) {
        beam_power_1_map<<<(angles - 1) / 256 + 1, 256>>>(angles, sensors, snapshots, steering, signal, power);
    }
}