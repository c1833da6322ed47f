// Beamformer: a block for each direction forms its outputs and sums their powers on the spot.
#include <cuda_runtime.h>

struct Sample {
    float re, im;
};

constexpr int kThreads = 256;

__global__ void beam(int sensors, int snapshots, const Sample* steering, const Sample* signal, float* power) {
    __shared__ float part[kThreads];
    int a = blockIdx.x;
    float total = 0.0f;
    for (int t = threadIdx.x; t < snapshots; t += kThreads) {
        float re = 0.0f, im = 0.0f;
        for (int s = 0; s < sensors; ++s) {
            Sample w = steering[a * sensors + s], v = signal[t * sensors + s];
            re += w.re * v.re + w.im * v.im;
            im += w.re * v.im - w.im * v.re;
        }
        total += re * re + im * im;
    }
    part[threadIdx.x] = total;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) power[a] = part[0] / snapshots;
}

extern "C" void beam_power(int angles, int sensors, int snapshots, const Sample* steering, const Sample* signal, float* power) {
    beam<<<angles, kThreads>>>(sensors, snapshots, steering, signal, power);
}
