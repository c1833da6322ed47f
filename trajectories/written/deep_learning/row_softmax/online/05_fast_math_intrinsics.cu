// Online softmax of each row, one block per row, with hardware exponentials and one division per row and thread.
#include <cuda_runtime.h>

#include <cfloat>

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;

// The largest element seen so far and the sum of exp(x - largest).
struct Partial {
    float largest, sum;
};

__device__ Partial merged(Partial a, Partial b) {
    float largest = fmaxf(a.largest, b.largest);
    return {largest, a.sum * __expf(a.largest - largest) + b.sum * __expf(b.largest - largest)};
}

// The merge over the block, in every thread.
__device__ Partial block_merged(Partial p) {
    __shared__ Partial shared[kWarps];
    for (int offset = 16; offset > 0; offset /= 2) {
        Partial other;
        other.largest = __shfl_xor_sync(0xffffffffu, p.largest, offset);
        other.sum = __shfl_xor_sync(0xffffffffu, p.sum, offset);
        p = merged(p, other);
    }
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = p;
    __syncthreads();
    Partial all = shared[0];
    for (int warp = 1; warp < kWarps; ++warp) all = merged(all, shared[warp]);
    return all;
}

__global__ void softmax_kernel(int cols, const float* in, float* out) {
    const float* x = in + (size_t)blockIdx.x * cols;
    float* y = out + (size_t)blockIdx.x * cols;

    Partial p = {-FLT_MAX, 0.0f};  // finite, so that the merge of two empty parts has no inf - inf
    for (int c = threadIdx.x; c < cols; c += kThreads) {
        float value = x[c];
        if (value > p.largest) {
            p.sum *= __expf(p.largest - value);
            p.largest = value;
        }
        p.sum += __expf(value - p.largest);
    }
    p = block_merged(p);

    float scale = 1.0f / p.sum;
    for (int c = threadIdx.x; c < cols; c += kThreads) y[c] = __expf(x[c] - p.largest) * scale;
}

extern "C" void row_softmax(int rows, int cols, const float* in, float* out) {
    softmax_kernel<<<rows, kThreads>>>(cols, in, out);
}
