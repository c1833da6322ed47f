// Layer-wise optimiser step: one thread per element, norms by atomics.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

struct Options {
    float rate, decay, trust;
};

// The tensor of element i: the last one that starts at or before it.
__device__ int tensor_of(int i, int tensors, const int* start) {
    int low = 0, high = tensors;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (start[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// sums[2 k] and sums[2 k + 1]: squares of the weights and of the gradients of tensor k.
__global__ void add_squares(int tensors, int n, const int* start, const float* gradient, const float* weight,
                            double* sums) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= n) return;
    int k = tensor_of(i, tensors, start);
    atomicAdd(&sums[2 * k], (double)weight[i] * weight[i]);
    atomicAdd(&sums[2 * k + 1], (double)gradient[i] * gradient[i]);
}

__device__ float ratio_of(const double* sums, int k, const Options& options) {
    double w = sqrt(sums[2 * k]), g = sqrt(sums[2 * k + 1]);
    return w > 0.0 && g > 0.0 ? (float)(options.trust * w / (g + options.decay * w)) : 1.0f;
}

__global__ void update(int tensors, int n, Options options, const int* start, const double* sums,
                       const float* gradient, float* weight, float* momentum, float* ratio) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < tensors) ratio[i] = ratio_of(sums, i, options);
    if (i >= n) return;
    float step = options.rate * ratio_of(sums, tensor_of(i, tensors, start), options);
    float moved = 0.9f * momentum[i] + step * (gradient[i] + options.decay * weight[i]);
    momentum[i] = moved;
    weight[i] -= moved;
}

extern "C" void lars_update(int tensors, int n, float rate, float decay, float trust, const int* start,
                            const float* gradient, float* weight, float* momentum, float* ratio) {
    double* sums = nullptr;
    cudaMalloc(&sums, 2 * tensors * sizeof(double));
    cudaMemsetAsync(sums, 0, 2 * tensors * sizeof(double));
    int blocks = (max(n, tensors) - 1) / kThreads + 1;
    add_squares<<<blocks, kThreads>>>(tensors, n, start, gradient, weight, sums);
    update<<<blocks, kThreads>>>(tensors, n, Options{rate, decay, trust}, start, sums, gradient, weight, momentum,
                                 ratio);
    cudaFree(sums);
}
