// Softmax of each row, one block per row; warps reduce by shuffles, the block through eight shared values.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;

struct Larger {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

// The combination over the block, in every thread.
template <class Combine>
__device__ float block_reduce(float value, Combine combine, float* shared) {
    for (int offset = 16; offset > 0; offset /= 2) value = combine(value, __shfl_xor_sync(0xffffffffu, value, offset));
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
    __syncthreads();
    float all = shared[0];
    for (int warp = 1; warp < kWarps; ++warp) all = combine(all, shared[warp]);
    __syncthreads();  // shared may be used again
    return all;
}

__global__ void softmax_kernel(int cols, const float* in, float* out) {
    __shared__ float shared[kWarps];
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
