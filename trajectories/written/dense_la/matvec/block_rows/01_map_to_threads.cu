// Matrix-vector product, one thread per row.
#include <cuda_runtime.h>

__global__ void row_dot(int rows, int cols, const float* A, const float* x, float* y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        for (int col = 0; col < cols; ++col) sum += A[(size_t)row * cols + col] * x[col];
        y[row] = sum;
    }
}

extern "C" void matvec(int rows, int cols, const float* A, const float* x, float* y) {
    const int threads = 128;
    row_dot<<<(rows + threads - 1) / threads, threads>>>(rows, cols, A, x, y);
}
