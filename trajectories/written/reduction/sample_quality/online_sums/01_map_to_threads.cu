// Sample quality: a thread for each run, one pass for the maximum and one for the sums.
#include <cuda_runtime.h>

__global__ void assess(int runs, int n, const float* log_weight, float* log_mean, float* effective) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= runs) return;
    const float* lw = log_weight + (size_t)r * n;
    float top = lw[0];
    for (int i = 1; i < n; ++i) top = fmaxf(top, lw[i]);
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < n; ++i) {
        float w = expf(lw[i] - top);
        sum += w;
        squares += (double)w * w;
    }
    log_mean[r] = (float)(top + log(sum / n));
    effective[r] = (float)(sum * sum / squares);
}

extern "C" void sample_quality(int runs, int n, const float* log_weight, float* log_mean, float* effective) {
    assess<<<(runs + 31) / 32, 32>>>(runs, n, log_weight, log_mean, effective);
}
