// Matrix-vector product, one block per row, partial sums combined by a tree in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__global__ void row_dot(int cols, const float* A, const float* x, float* y) {
    __shared__ float partial[kThreads];
    const float* a = A + (size_t)blockIdx.x * cols;

    float sum = 0.0f;
    for (int col = threadIdx.x; col < cols; col += kThreads) sum += a[col] * x[col];
    partial[threadIdx.x] = sum;
    __syncthreads();

    // Upper half onto lower half: active threads stay contiguous and hit different banks.
    for (int active = kThreads / 2; active > 0; active /= 2) {
        if (threadIdx.x < active) partial[threadIdx.x] += partial[threadIdx.x + active];
        __syncthreads();
    }
    if (threadIdx.x == 0) y[blockIdx.x] = partial[0];
}

extern "C" void matvec(int rows, int cols, const float* A, const float* x, float* y) {
    row_dot<<<rows, kThreads>>>(cols, A, x, y);
}
