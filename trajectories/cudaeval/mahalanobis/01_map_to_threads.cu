#include <cuda_runtime.h>

__global__ void distances(int samples, int dims, const float* sample, const float* mean, const float* precision, float* distance) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= samples) return;
    const float* x = sample + (long long)s * dims;
    float total = 0.0f;
    for (int i = 0; i < dims; ++i) {
        float dot = 0.0f;
        for (int j = 0; j < dims; ++j) dot += precision[(long long)i * dims + j] * (x[j] - mean[j]);
        total += (x[i] - mean[i]) * dot;
    }
    distance[s] = total;
}

extern "C" void mahalanobis(int samples, int dims, const float* sample, const float* mean, const float* precision, float* distance) {
    if (samples > 0) distances<<<(samples + 127) / 128, 128>>>(samples, dims, sample, mean, precision, distance);
}
