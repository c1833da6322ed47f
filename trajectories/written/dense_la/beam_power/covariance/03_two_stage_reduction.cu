// Beamformer by way of the covariance; slices of snapshots give partial sums that a further kernel adds.
#include <cuda_runtime.h>

struct Sample {
    float re, im;
};

constexpr int kSlices = 256;

// Sums of v_i conj(v_j) over every slices-th snapshot; a thread for each pair of sensors.
__global__ void covariance(int sensors, int snapshots, const Sample* signal, Sample* parts) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= sensors * sensors) return;
    int i = e / sensors, j = e % sensors;
    float re = 0.0f, im = 0.0f;
    for (int t = blockIdx.y; t < snapshots; t += gridDim.y) {
        Sample a = signal[t * sensors + i], b = signal[t * sensors + j];
        re += a.re * b.re + a.im * b.im;
        im += a.im * b.re - a.re * b.im;
    }
    parts[(size_t)blockIdx.y * sensors * sensors + e] = {re, im};
}

__global__ void average(int pairs, int snapshots, int slices, const Sample* parts, Sample* R) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= pairs) return;
    float re = 0.0f, im = 0.0f;
    for (int k = 0; k < slices; ++k) re += parts[(size_t)k * pairs + e].re, im += parts[(size_t)k * pairs + e].im;
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
    int pairs = sensors * sensors, slices = snapshots < kSlices ? snapshots : kSlices;
    Sample* R = nullptr;  // and the slices' sums behind it
    cudaMalloc(&R, (size_t)(slices + 1) * pairs * sizeof(Sample));
    covariance<<<dim3((pairs + 127) / 128, slices), 128>>>(sensors, snapshots, signal, R + pairs);
    average<<<(pairs + 63) / 64, 64>>>(pairs, snapshots, slices, R + pairs, R);
    beam<<<(angles + 63) / 64, 64>>>(angles, sensors, steering, R, power);
    cudaFree(R);
}
