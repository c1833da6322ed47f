// Softmax of each row, one block per row; maximum and sum by trees in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

struct Larger {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

// The combination over the block, in every thread.
template <class Combine>
__device__ float block_reduce(float value, Combine combine, float* shared) {
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int active = kThreads / 2; active > 0; active /= 2) {
        if (threadIdx.x < active) shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + active]);
        __syncthreads();
    }
    float all = shared[0];
    __syncthreads();  // shared may be used again
    return all;
}

__global__ void softmax_kernel(int cols, const float* in, float* out) {
    __shared__ float shared[kThreads];
    const float* x = in + (size_t)blockIdx.x * cols;
    float* y = out + (size_t)blockIdx.x * cols;

    float largest = x[0];
    for (int c = threadIdx.x; c < cols; c += kThreads) largest = fmaxf(largest, x[c]);
    largest = block_reduce(largest, Larger(), shared);

    float sum = 0.0f;
    for (int c = threadIdx.x; c < cols; c += kThreads) {
        float e = expf(x[c] - largest);
        y[c] = e;
        sum += e;
    }
    sum = block_reduce(sum, Sum(), shared);

    for (int c = threadIdx.x; c < cols; c += kThreads) y[c] /= sum;  // each thread scales what it wrote itself
}

extern "C" void row_softmax(int rows, int cols, const float* in, float* out) {
    softmax_kernel<<<rows, kThreads>>>(cols, in, out);
}
