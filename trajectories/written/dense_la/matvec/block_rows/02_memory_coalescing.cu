// Matrix-vector product, one block per row: consecutive threads read consecutive columns.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__global__ void row_dot(int cols, const float* A, const float* x, float* y) {
    __shared__ float partial[kThreads];
    const float* a = A + (size_t)blockIdx.x * cols;

    float sum = 0.0f;
    for (int col = threadIdx.x; col < cols; col += kThreads) sum += a[col] * x[col];
    partial[threadIdx.x] = sum;
    __syncthreads();

    if (threadIdx.x == 0) {
        float total = 0.0f;
        for (int i = 0; i < kThreads; ++i) total += partial[i];
        y[blockIdx.x] = total;
    }
}

extern "C" void matvec(int rows, int cols, const float* A, const float* x, float* y) {
    row_dot<<<rows, kThreads>>>(cols, A, x, y);
}
