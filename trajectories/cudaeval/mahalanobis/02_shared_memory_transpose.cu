#include <cuda_runtime.h>

constexpr int kThreads = 128;  // and samples of a block

// A block's samples are brought in row by row, the mean taken off on the way, and read back by columns.
__global__ void distances(int samples, int dims, const float* __restrict__ sample, const float* __restrict__ mean,
                          const float* __restrict__ precision, float* __restrict__ distance) {
    extern __shared__ float centred[];  // [dims][kThreads + 1]
    int first = blockIdx.x * kThreads, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int row = warp; row < kThreads; row += kThreads / 32) {
        int s = first + row;
        for (int j = lane; j < dims; j += 32)
            centred[j * (kThreads + 1) + row] = s < samples ? sample[(long long)s * dims + j] - mean[j] : 0.0f;
    }
    __syncthreads();
    const float* x = centred + threadIdx.x;
    float total = 0.0f;
    for (int i = 0; i < dims; ++i) {
        float dot = 0.0f;
        for (int j = 0; j < dims; ++j) dot += precision[(long long)i * dims + j] * x[j * (kThreads + 1)];
        total += x[i * (kThreads + 1)] * dot;
    }
    if (first + (int)threadIdx.x < samples) distance[first + threadIdx.x] = total;
}

extern "C" void mahalanobis(int samples, int dims, const float* sample, const float* mean, const float* precision, float* distance) {
    if (samples <= 0) return;
    size_t bytes = sizeof(float) * dims * (kThreads + 1);
    if (bytes > 48 * 1024) cudaFuncSetAttribute(distances, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    distances<<<(samples + kThreads - 1) / kThreads, kThreads, bytes>>>(samples, dims, sample, mean, precision, distance);
}
