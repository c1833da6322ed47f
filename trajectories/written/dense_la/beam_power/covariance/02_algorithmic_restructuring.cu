// Beamformer by way of the covariance: R = mean of v v^H over snapshots, then the power of direction w is w^H R w.
#include <cuda_runtime.h>

struct Sample {
    float re, im;
};

// R[i][j] = mean of v_i conj(v_j); a thread for each pair of sensors.
__global__ void covariance(int sensors, int snapshots, const Sample* signal, Sample* R) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= sensors * sensors) return;
    int i = e / sensors, j = e % sensors;
    float re = 0.0f, im = 0.0f;
    for (int t = 0; t < snapshots; ++t) {
        Sample a = signal[t * sensors + i], b = signal[t * sensors + j];
        re += a.re * b.re + a.im * b.im;
        im += a.im * b.re - a.re * b.im;
    }
    R[e] = {re / snapshots, im / snapshots};
}

// The sum over i, j of conj(w_i) R[i][j] w_j, which is real because R is Hermitian.
__global__ void beam(int angles, int sensors, const Sample* steering, const Sample* R, float* power) {
    int a = blockIdx.x * blockDim.x + threadIdx.x;
    if (a >= angles) return;
    const Sample* w = steering + a * sensors;
    float total = 0.0f;
    for (int i = 0; i < sensors; ++i) {
        float re = 0.0f, im = 0.0f;  // row i of R times w
        for (int j = 0; j < sensors; ++j) {
            Sample r = R[i * sensors + j];
            re += r.re * w[j].re - r.im * w[j].im;
            im += r.re * w[j].im + r.im * w[j].re;
        }
        total += w[i].re * re + w[i].im * im;
    }
    power[a] = total;
}

extern "C" void beam_power(int angles, int sensors, int snapshots, const Sample* steering, const Sample* signal, float* power) {
    Sample* R = nullptr;
    cudaMalloc(&R, (size_t)sensors * sensors * sizeof(Sample));
    covariance<<<(sensors * sensors + 127) / 128, 128>>>(sensors, snapshots, signal, R);
    beam<<<(angles + 63) / 64, 64>>>(angles, sensors, steering, R, power);
    cudaFree(R);
}
