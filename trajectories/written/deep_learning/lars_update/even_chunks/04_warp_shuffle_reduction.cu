// Layer-wise optimiser step: even chunks, one step size per piece, norms combined by warp shuffles.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kChunk = 8192;  // elements per block

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

__device__ double warp_sum(double value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, distance);
    return value;
}

// sums[2 k] and sums[2 k + 1]: squares of the weights and of the gradients of tensor k.
__global__ void add_squares(int tensors, int n, const int* start, const float* gradient, const float* weight,
                            double* sums) {
    __shared__ double parts[2][kThreads / 32];
    const int t = threadIdx.x, chunk = blockIdx.x * kChunk, chunk_end = min(chunk + kChunk, n);
    int k = tensor_of(chunk, tensors, start);
    for (int begin = chunk; begin < chunk_end; ++k) {
        const int end = min(start[k + 1], chunk_end);
        if (end == begin) continue;  // empty
        double w = 0.0, g = 0.0;
        for (int i = begin + t; i < end; i += kThreads) {
            w += (double)weight[i] * weight[i];
            g += (double)gradient[i] * gradient[i];
        }
        w = warp_sum(w);
        g = warp_sum(g);
        if (t % 32 == 0) {
            parts[0][t / 32] = w;
            parts[1][t / 32] = g;
        }
        __syncthreads();
        if (t < 2) {
            double sum = 0.0;
            for (int part = 0; part < kThreads / 32; ++part) sum += parts[t][part];
            atomicAdd(&sums[2 * k + t], sum);
        }
        __syncthreads();
        begin = end;
    }
}

__device__ float ratio_of(const double* sums, int k, const Options& options) {
    double w = sqrt(sums[2 * k]), g = sqrt(sums[2 * k + 1]);
    return w > 0.0 && g > 0.0 ? (float)(options.trust * w / (g + options.decay * w)) : 1.0f;
}

__global__ void update(int tensors, int n, Options options, const int* start, const double* sums,
                       const float* gradient, float* weight, float* momentum, float* ratio) {
    const int t = threadIdx.x, chunk = blockIdx.x * kChunk, chunk_end = min(chunk + kChunk, n);
    for (int k = blockIdx.x * kThreads + t; k < tensors; k += gridDim.x * kThreads)
        ratio[k] = ratio_of(sums, k, options);
    int k = tensor_of(chunk, tensors, start);
    for (int begin = chunk; begin < chunk_end; ++k) {
        const int end = min(start[k + 1], chunk_end);
        if (end == begin) continue;  // empty
        const float step = options.rate * ratio_of(sums, k, options);
        for (int i = begin + t; i < end; i += kThreads) {
            float moved = 0.9f * momentum[i] + step * (gradient[i] + options.decay * weight[i]);
            momentum[i] = moved;
            weight[i] -= moved;
        }
        begin = end;
    }
}

extern "C" void lars_update(int tensors, int n, float rate, float decay, float trust, const int* start,
                            const float* gradient, float* weight, float* momentum, float* ratio) {
    double* sums = nullptr;
    cudaMalloc(&sums, 2 * tensors * sizeof(double));
    cudaMemsetAsync(sums, 0, 2 * tensors * sizeof(double));
    int blocks = (n - 1) / kChunk + 1;
    add_squares<<<blocks, kThreads>>>(tensors, n, start, gradient, weight, sums);
    update<<<blocks, kThreads>>>(tensors, n, Options{rate, decay, trust}, start, sums, gradient, weight, momentum,
                                 ratio);
    cudaFree(sums);
}
