// Whitening: a matrix is factorised by a warp in shared memory.
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

// The Cholesky factor of a matrix in shared memory, in place, by one warp; a lane has a row. Returns the logarithm of the determinant.
__device__ float cholesky(float (*l)[kC + 1], int lane) {
    float sum = 0.0f;
    for (int k = 0; k < kC; ++k) {
        const float root = sqrtf(l[k][k]);
        sum += 2.0f * logf(root);
        __syncwarp();
        if (lane == k) l[k][k] = root;
        if (lane > k && lane < kC) l[lane][k] /= root;
        __syncwarp();
        for (int j = k + 1; j <= lane && lane < kC; ++j) l[lane][j] -= l[lane][k] * l[j][k];
        __syncwarp();
    }
    return sum;
}

__global__ void factorise(float* factor, float* log_det) {
    __shared__ float l[kC][kC + 1];
    float* own = factor + (size_t)blockIdx.x * kC * kC;
    for (int i = threadIdx.x; i < kC * kC; i += 32) l[i / kC][i % kC] = own[i];
    __syncwarp();
    const float sum = cholesky(l, threadIdx.x);
    for (int i = threadIdx.x; i < kC * kC; i += 32) own[i] = l[i / kC][i % kC];
    if (threadIdx.x == 0) log_det[blockIdx.x] = sum;
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
    factorise<<<epochs, 32>>>(factor, log_det);
    apply<<<(unsigned)((rows + 127) / 128), 128>>>(epochs, samples, data, mean, factor, white);
    cudaFreeAsync(mean, 0);
    cudaFreeAsync(factor, 0);
}
