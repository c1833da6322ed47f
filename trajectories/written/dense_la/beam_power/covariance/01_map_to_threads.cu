// Beamformer: a thread for each direction and snapshot leaves a power, then a thread for each direction averages.
#include <cuda_runtime.h>

struct Sample {
    float re, im;
};

__global__ void outputs(int angles, int sensors, int snapshots, const Sample* steering, const Sample* signal, float* squared) {
    size_t e = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= (size_t)angles * snapshots) return;
    int t = e / angles, a = e % angles;
    float re = 0.0f, im = 0.0f;
    for (int s = 0; s < sensors; ++s) {
        Sample w = steering[a * sensors + s], v = signal[t * sensors + s];
        re += w.re * v.re + w.im * v.im;
        im += w.re * v.im - w.im * v.re;
    }
    squared[e] = re * re + im * im;
}

__global__ void average(int angles, int snapshots, const float* squared, float* power) {
    int a = blockIdx.x * blockDim.x + threadIdx.x;
    if (a >= angles) return;
    float total = 0.0f;
    for (int t = 0; t < snapshots; ++t) total += squared[(size_t)t * angles + a];
    power[a] = total / snapshots;
}

extern "C" void beam_power(int angles, int sensors, int snapshots, const Sample* steering, const Sample* signal, float* power) {
    float* squared = nullptr;
    size_t count = (size_t)angles * snapshots;
    cudaMalloc(&squared, count * sizeof(float));
    outputs<<<(count + 255) / 256, 256>>>(angles, sensors, snapshots, steering, signal, squared);
    average<<<(angles + 63) / 64, 64>>>(angles, snapshots, squared, power);
    cudaFree(squared);
}
