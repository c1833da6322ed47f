// Whitening: means and covariances in one pass, relative to the epoch's first sample so that little cancels.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int kC = 16;
constexpr float kRidge = 0.25f;

__global__ void correlate(int samples, const float* data, float* mean, float* factor) {
    const int e = blockIdx.x, i = threadIdx.x / kC, j = threadIdx.x % kC;
    const float* x = data + (size_t)e * samples * kC;
    const float shift_i = x[i], shift_j = x[j];
    float sum = 0.0f, sum_i = 0.0f, sum_j = 0.0f;
    for (int t = 0; t < samples; ++t) {
        const float a = x[(size_t)t * kC + i] - shift_i, b = x[(size_t)t * kC + j] - shift_j;
        sum += a * b;
        sum_i += a;
        sum_j += b;
    }
    if (i == 0) mean[e * kC + j] = shift_j + sum_j / samples;
    factor[(size_t)e * kC * kC + threadIdx.x] = (sum - sum_i / samples * sum_j) / samples + (i == j ? kRidge : 0.0f);
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
    correlate<<<epochs, kC * kC>>>(samples, data, mean, factor);
    factorise<<<(epochs + 31) / 32, 32>>>(epochs, factor, log_det);
    apply<<<(unsigned)((rows + 127) / 128), 128>>>(epochs, samples, data, mean, factor, white);
    cudaFreeAsync(mean, 0);
    cudaFreeAsync(factor, 0);
}
