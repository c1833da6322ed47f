// Least squares: one sum of the normal equations a block; one thread solves them.
#include <cuda_runtime.h>

constexpr int kThreads = 256, kFeatures = 10, kSquares = kFeatures * kFeatures, kSums = kSquares + kFeatures;
__device__ double sums[kSums];  // the matrix, then the right side

// Cholesky factor of the 10 x 10 matrix `a`, then two triangular solves.
__device__ void solve(double* a, double* b, float* beta) {
    for (int j = 0; j < kFeatures; ++j) {
        for (int k = 0; k < j; ++k) a[j * kFeatures + j] -= a[j * kFeatures + k] * a[j * kFeatures + k];
        a[j * kFeatures + j] = sqrt(a[j * kFeatures + j]);
        for (int i = j + 1; i < kFeatures; ++i) {
            for (int k = 0; k < j; ++k) a[i * kFeatures + j] -= a[i * kFeatures + k] * a[j * kFeatures + k];
            a[i * kFeatures + j] /= a[j * kFeatures + j];
        }
    }
    for (int i = 0; i < kFeatures; ++i) {
        for (int k = 0; k < i; ++k) b[i] -= a[i * kFeatures + k] * b[k];
        b[i] /= a[i * kFeatures + i];
    }
    for (int i = kFeatures - 1; i >= 0; --i) {
        for (int k = i + 1; k < kFeatures; ++k) b[i] -= a[k * kFeatures + i] * b[k];
        b[i] /= a[i * kFeatures + i];
        beta[i] = b[i];
    }
}

// The sum over the block, in its first thread.
__device__ double block_sum(double value) {
    __shared__ double part[kThreads];
    __syncthreads();  // after the use before
    part[threadIdx.x] = value;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    return part[0];
}

__global__ void add_up(int n, const float* x, const float* y) {
    const int i = blockIdx.x < kSquares ? blockIdx.x / kFeatures : blockIdx.x - kSquares, j = blockIdx.x % kFeatures;
    double sum = 0.0;
    for (int row = threadIdx.x; row < n; row += kThreads) {
        const float* features = x + (long long)row * kFeatures;
        sum += (double)features[i] * (blockIdx.x < kSquares ? features[j] : y[row]);
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void finish(float* beta) { solve(sums, sums + kSquares, beta); }

extern "C" void least_squares(int n, const float* x, const float* y, float* beta) {
    add_up<<<kSums, kThreads>>>(n, x, y);
    finish<<<1, 1>>>(beta);
}
