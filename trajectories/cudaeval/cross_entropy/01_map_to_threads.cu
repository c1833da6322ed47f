// Cross-entropy over ten classes: one sample a thread, which adds its share of the mean.
#include <cuda_runtime.h>

constexpr int kThreads = 256, kClasses = 10;

__global__ void add_losses(int n, const float* logits, const int* labels, float* loss) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= n) return;
    const float* row = logits + (long long)kClasses * i;
    float most = row[0], total = 0.0f;
    for (int c = 1; c < kClasses; ++c) most = fmaxf(most, row[c]);
    for (int c = 0; c < kClasses; ++c) total += expf(row[c] - most);
    atomicAdd(loss, (logf(total) + most - row[labels[i]]) / n);
}

extern "C" void cross_entropy(int n, const float* logits, const int* labels, float* loss) {
    cudaMemsetAsync(loss, 0, sizeof(float));
    if (n > 0) add_losses<<<(n - 1) / kThreads + 1, kThreads>>>(n, logits, labels, loss);
}
