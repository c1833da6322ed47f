// Softmax of each row: a block keeps its row in shared memory, so that it is read once.
#include <cuda_runtime.h>

#include <cfloat>

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kResident = 48 * 1024;  // floats of a row that are kept: 192 KiB

__device__ float warp_max(float v) {
    for (int offset = 16; offset > 0; offset /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, offset));
    return v;
}

__device__ float warp_sum(float v) {
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
    return v;
}

// The largest value and the sum over the block, in every thread. `of_warp` has one entry for each warp and is free again afterwards.
__device__ float block_max(float v, float* of_warp) {
    v = warp_max(v);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = v;
    __syncthreads();
    v = of_warp[0];
    for (int w = 1; w < kWarps; ++w) v = fmaxf(v, of_warp[w]);
    __syncthreads();
    return v;
}

__device__ float block_sum(float v, float* of_warp) {
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = v;
    __syncthreads();
    v = of_warp[0];
    for (int w = 1; w < kWarps; ++w) v += of_warp[w];
    __syncthreads();
    return v;
}

__global__ void __launch_bounds__(kThreads) softmax(int cols, int resident, const float* in, float* out) {
    extern __shared__ float row[];
    __shared__ float of_warp[kWarps];
    const float* x = in + (size_t)blockIdx.x * cols;
    float* y = out + (size_t)blockIdx.x * cols;
    float largest = -FLT_MAX, sum = 0.0f;
    for (int c = threadIdx.x; c < cols; c += kThreads) {
        float v = x[c];
        if (c < resident) row[c] = v;
        largest = fmaxf(largest, v);
    }
    largest = block_max(largest, of_warp);
    // Every thread reads back only what it wrote; what did not fit is read from memory and its exponential taken twice.
    for (int c = threadIdx.x; c < cols; c += kThreads) {
        float e = __expf((c < resident ? row[c] : x[c]) - largest);
        if (c < resident) row[c] = e;
        sum += e;
    }
    float scale = 1.0f / block_sum(sum, of_warp);
    for (int c = threadIdx.x; c < cols; c += kThreads) y[c] = (c < resident ? row[c] : __expf(x[c] - largest)) * scale;
}

extern "C" void row_softmax(int rows, int cols, const float* in, float* out) {
    int resident = cols < kResident ? cols : kResident, bytes = resident * (int)sizeof(float);
    cudaFuncSetAttribute(softmax, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    softmax<<<rows, kThreads, bytes>>>(cols, resident, in, out);
}
