// Cross-entropy over ten classes: a block adds its samples up in shared memory, so that one atomic operation stands for 256.
#include <cuda_runtime.h>

constexpr int kThreads = 256, kClasses = 10;

__device__ float loss_of(const float* row, int label) {
    float most = row[0], total = 0.0f;
    for (int c = 1; c < kClasses; ++c) most = fmaxf(most, row[c]);
    for (int c = 0; c < kClasses; ++c) total += expf(row[c] - most);
    return logf(total) + most - row[label];
}

__global__ void add_losses(int n, const float* logits, const int* labels, float* loss) {
    __shared__ float part[kThreads];
    const int i = blockIdx.x * kThreads + threadIdx.x;
    part[threadIdx.x] = i < n ? loss_of(logits + (long long)kClasses * i, labels[i]) : 0.0f;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(loss, part[0] / n);
}

extern "C" void cross_entropy(int n, const float* logits, const int* labels, float* loss) {
    cudaMemsetAsync(loss, 0, sizeof(float));
    if (n > 0) add_losses<<<(n - 1) / kThreads + 1, kThreads>>>(n, logits, labels, loss);
}
