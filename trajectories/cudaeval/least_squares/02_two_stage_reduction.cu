// Least squares: a thread takes whole rows and keeps all 65 sums; rows are read once, and by every block some of them.
#include <cuda_runtime.h>

constexpr int kThreads = 256, kWarps = kThreads / 32, kFeatures = 10, kSquares = kFeatures * kFeatures;
constexpr int kSums = kFeatures * (kFeatures + 1) / 2 + kFeatures;  // the lower triangle by rows, each row with its right side at the end
constexpr int kMostBlocks = 132;
__device__ double partial[kSums][kMostBlocks];

__device__ double warp_sum(double value) {
    for (int reach = 16; reach > 0; reach /= 2) value += __shfl_down_sync(0xffffffffu, value, reach);
    return value;
}

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

// Adds a row's products to the sums, which stay in registers.
__device__ void add_row(const float (&features)[kFeatures], float y, double (&sum)[kSums]) {
    int s = 0;
#pragma unroll
    for (int i = 0; i < kFeatures; ++i) {
#pragma unroll
        for (int j = 0; j <= i; ++j) sum[s++] += (double)features[i] * features[j];
        sum[s++] += (double)features[i] * y;
    }
}

// Leaves the block's sums for the second stage.
__device__ void leave(const double (&sum)[kSums]) {
    __shared__ double part[kWarps][kSums];
#pragma unroll
    for (int s = 0; s < kSums; ++s) {
        const double of_warp = warp_sum(sum[s]);
        if (threadIdx.x % 32 == 0) part[threadIdx.x / 32][s] = of_warp;
    }
    __syncthreads();
    if (threadIdx.x < kSums) {
        double all = 0.0;
        for (int w = 0; w < kWarps; ++w) all += part[w][threadIdx.x];
        partial[threadIdx.x][blockIdx.x] = all;
    }
}

__global__ void __launch_bounds__(kThreads) add_up(int n, const float* __restrict__ x, const float* __restrict__ y) {
    double sum[kSums] = {};
    for (long long row = (long long)blockIdx.x * kThreads + threadIdx.x; row < n; row += gridDim.x * kThreads) {
        float features[kFeatures];
#pragma unroll
        for (int i = 0; i < kFeatures; ++i) features[i] = x[row * kFeatures + i];
        add_row(features, y[row], sum);
    }
    leave(sum);
}

// A warp a sum; then one thread solves.
__global__ void __launch_bounds__(1024) finish(int blocks, float* beta) {
    __shared__ double a[kSquares], b[kFeatures];
    const int lane = threadIdx.x % 32;
    for (int s = threadIdx.x / 32; s < kSums; s += 32) {
        double sum = 0.0;
        for (int k = lane; k < blocks; k += 32) sum += partial[s][k];
        sum = warp_sum(sum);
        int i = 0, j = s;
        while (j > i + 1) j -= ++i + 1;  // row i has i + 1 products and its right side
        if (lane == 0) (j <= i ? a[i * kFeatures + j] : b[i]) = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) solve(a, b, beta);
}

extern "C" void least_squares(int n, const float* x, const float* y, float* beta) {
    const int blocks = min((n - 1) / kThreads + 1, kMostBlocks);
    add_up<<<blocks, kThreads>>>(n, x, y);
    finish<<<1, 1024>>>(blocks, beta);
}
