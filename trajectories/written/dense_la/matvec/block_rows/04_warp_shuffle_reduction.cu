// Matrix-vector product, one block per row; warps reduce in registers, one barrier joins them.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kWarps = kThreads / 32;

__global__ void row_dot(int cols, const float* A, const float* x, float* y) {
    __shared__ float warp_total[kWarps];
    const float* a = A + (size_t)blockIdx.x * cols;

    float sum = 0.0f;
    for (int col = threadIdx.x; col < cols; col += kThreads) sum += a[col] * x[col];

    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0) warp_total[threadIdx.x / 32] = sum;
    __syncthreads();

    if (threadIdx.x == 0) {
        float total = warp_total[0];
        for (int warp = 1; warp < kWarps; ++warp) total += warp_total[warp];
        y[blockIdx.x] = total;
    }
}

extern "C" void matvec(int rows, int cols, const float* A, const float* x, float* y) {
    row_dot<<<rows, kThreads>>>(cols, A, x, y);
}
