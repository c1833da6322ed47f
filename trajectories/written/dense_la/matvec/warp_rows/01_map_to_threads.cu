// Matrix-vector product, one thread per row.
#include <cuda_runtime.h>

__global__ void matvec_kernel(int rows, int cols, const float* A, const float* x, float* y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* a = A + (size_t)row * cols;
    float sum = 0.0f;
    for (int col = 0; col < cols; ++col) sum += a[col] * x[col];
    y[row] = sum;
}

extern "C" void matvec(int rows, int cols, const float* A, const float* x, float* y) {
    const int threads = 256;
    const int blocks = (rows + threads - 1) / threads;
    matvec_kernel<<<blocks, threads>>>(rows, cols, A, x, y);
}
