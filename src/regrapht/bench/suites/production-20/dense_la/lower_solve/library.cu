// cuBLAS's trsm after a kernel that scales the matrix.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void scaled(size_t size, float factor, const float* in, float* out) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size) out[i] = factor * in[i];
}

extern "C" void lower_solve(int n, int columns, const float* l, float* b) {
    static cublasHandle_t handle = nullptr;
    if (!handle && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) abort();
    const size_t size = (size_t)n * n;
    const float one = 1.0f;
    float* matrix = nullptr;
    cudaMallocAsync(&matrix, sizeof(float) * size, 0);
    scaled<<<(unsigned)((size + 255) / 256), 256>>>(size, 1.0f / n, l, matrix);
    // Row-major L is column-major upper; x^T L^T = b^T.
    if (cublasStrsm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, columns, n, &one, matrix, n, b, columns) !=
        CUBLAS_STATUS_SUCCESS)
        abort();
    cudaFreeAsync(matrix, 0);
}
