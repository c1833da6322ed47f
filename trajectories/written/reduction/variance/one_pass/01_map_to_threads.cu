// Variance in two passes; each pass is a partial sum per thread and a one-thread finish.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kBlocks = 64;

__global__ void partial_sums(int n, const float* x, float* partial) {
    int thread = blockIdx.x * kThreads + threadIdx.x;
    float sum = 0.0f;
    for (long long i = thread; i < n; i += kBlocks * kThreads) sum += x[i];
    partial[thread] = sum;
}

__global__ void partial_squares(int n, const float* x, const float* mean, float* partial) {
    int thread = blockIdx.x * kThreads + threadIdx.x;
    float center = *mean;
    float sum = 0.0f;
    for (long long i = thread; i < n; i += kBlocks * kThreads) {
        float deviation = x[i] - center;
        sum += deviation * deviation;
    }
    partial[thread] = sum;
}

__global__ void mean_of(int n, int count, const float* partial, float* result) {
    float sum = 0.0f;
    for (int i = 0; i < count; ++i) sum += partial[i];
    *result = sum / n;
}

extern "C" void variance(int n, const float* x, float* result) {
    const int count = kBlocks * kThreads;
    float* scratch = nullptr;  // the partial sums, then the mean
    cudaMalloc(&scratch, (count + 1) * sizeof(float));
    float* mean = scratch + count;
    partial_sums<<<kBlocks, kThreads>>>(n, x, scratch);
    mean_of<<<1, 1>>>(n, count, scratch, mean);
    partial_squares<<<kBlocks, kThreads>>>(n, x, mean, scratch);
    mean_of<<<1, 1>>>(n, count, scratch, result);
    cudaFree(scratch);
}
