// Whitening: four kernels, for the means, the covariances, their factors and the samples; one output a thread.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int kC = 16;
constexpr float kRidge = 0.25f;

__global__ void average(int epochs, int samples, const float* data, float* mean) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= epochs * kC) return;
    float sum = 0.0f;
    for (int t = 0; t < samples; ++t) sum += data[((size_t)(at / kC) * samples + t) * kC + at % kC];
    mean[at] = sum / samples;
}

__global__ void correlate(int samples, const float* data, const float* mean, float* factor) {
    const int e = blockIdx.x, i = threadIdx.x / kC, j = threadIdx.x % kC;
    const float mi = mean[e * kC + i], mj = mean[e * kC + j];
    float sum = 0.0f;
    for (int t = 0; t < samples; ++t) {
        const size_t row = ((size_t)e * samples + t) * kC;
        sum += (data[row + i] - mi) * (data[row + j] - mj);
    }
    factor[(size_t)e * kC * kC + threadIdx.x] = sum / samples + (i == j ? kRidge : 0.0f);
}

__global__ void factorise(int epochs, float* factor, float* log_det) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= epochs) return;
    float(*l)[kC] = reinterpret_cast<float(*)[kC]>(factor + (size_t)e * kC * kC);
    float sum = 0.0f;
    for (int k = 0; k < kC; ++k) {
        const float root = sqrtf(l[k][k]);
        sum += 2.0f * logf(root);
        l[k][k] = root;
        for (int i = k + 1; i < kC; ++i) l[i][k] /= root;
        for (int j = k + 1; j < kC; ++j)
            for (int i = j; i < kC; ++i) l[i][j] -= l[i][k] * l[j][k];
    }
    log_det[e] = sum;
}

__global__ void apply(int epochs, int samples, const float* data, const float* mean, const float* factor, float* white) {
    const long long row = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= (long long)epochs * samples) return;
    const float* m = mean + row / samples * kC;
    const float* l = factor + row / samples * kC * kC;
    float y[kC];
    for (int i = 0; i < kC; ++i) {
        float rest = data[row * kC + i] - m[i];
        for (int j = 0; j < i; ++j) rest -= l[i * kC + j] * y[j];
        y[i] = rest / l[i * kC + i];
    }
    for (int i = 0; i < kC; ++i) white[row * kC + i] = y[i];
}

extern "C" void whiten_epochs(int epochs, int samples, const float* data, float* white, float* log_det) {
    float *mean = nullptr, *factor = nullptr;
    cudaMallocAsync(&mean, sizeof(float) * epochs * kC, 0);
    cudaMallocAsync(&factor, sizeof(float) * epochs * kC * kC, 0);
    const long long rows = (long long)epochs * samples;
    average<<<(epochs * kC + 127) / 128, 128>>>(epochs, samples, data, mean);
    correlate<<<epochs, kC * kC>>>(samples, data, mean, factor);
    factorise<<<(epochs + 31) / 32, 32>>>(epochs, factor, log_det);
    apply<<<(unsigned)((rows + 127) / 128), 128>>>(epochs, samples, data, mean, factor, white);
    cudaFreeAsync(mean, 0);
    cudaFreeAsync(factor, 0);
}
