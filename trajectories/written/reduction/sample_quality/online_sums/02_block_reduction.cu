// Sample quality: a block for each run, one pass for the maximum and one for the sums, trees in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 1024;

__global__ void assess(int n, const float* log_weight, float* log_mean, float* effective) {
    __shared__ float tops[kThreads];
    __shared__ double sums[kThreads], others[kThreads];
    const float* lw = log_weight + (size_t)blockIdx.x * n;
    float top = lw[0];
    for (int i = threadIdx.x; i < n; i += kThreads) top = fmaxf(top, lw[i]);
    tops[threadIdx.x] = top;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) tops[threadIdx.x] = fmaxf(tops[threadIdx.x], tops[threadIdx.x + half]);
        __syncthreads();
    }
    top = tops[0];

    double sum = 0.0, squares = 0.0;
    for (int i = threadIdx.x; i < n; i += kThreads) {
        float w = expf(lw[i] - top);
        sum += w;
        squares += (double)w * w;
    }
    sums[threadIdx.x] = sum, others[threadIdx.x] = squares;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half], others[threadIdx.x] += others[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        log_mean[blockIdx.x] = (float)(top + log(sums[0] / n));
        effective[blockIdx.x] = (float)(sums[0] * sums[0] / others[0]);
    }
}

extern "C" void sample_quality(int runs, int n, const float* log_weight, float* log_mean, float* effective) {
    assess<<<runs, kThreads>>>(n, log_weight, log_mean, effective);
}
