// Jacobi sweeps: a thread for each row; the values before the sweep are copied aside.
#include <cuda_runtime.h>

__global__ void sweep(int n, int width, float damping, const int* column, const float* value, const float* diagonal, const float* b,
                      const float* old, float* x) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n) return;
    float rest = b[r] - diagonal[r] * old[r];
    for (int k = 0; k < width; ++k) {
        int c = column[(size_t)r * width + k];
        if (c >= 0) rest -= value[(size_t)r * width + k] * old[c];
    }
    x[r] = old[r] + damping * rest / diagonal[r];
}

extern "C" void ell_jacobi(int n, int width, int sweeps, float damping, const int* column, const float* value, const float* diagonal,
                           const float* b, float* x) {
    float* old = nullptr;
    cudaMalloc(&old, n * sizeof(float));
    for (int s = 0; s < sweeps; ++s) {
        cudaMemcpyAsync(old, x, n * sizeof(float), cudaMemcpyDeviceToDevice);
        sweep<<<(n + 255) / 256, 256>>>(n, width, damping, column, value, diagonal, b, old, x);
    }
    cudaFree(old);
}
