// Jacobi sweeps: a thread for each row; two vectors take turns.
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
    float* other = nullptr;
    cudaMalloc(&other, n * sizeof(float));
    float *from = x, *to = other;  // after each sweep they change places; with an odd number the start is moved, so that x is last
    if (sweeps % 2 == 1) {
        cudaMemcpyAsync(other, x, n * sizeof(float), cudaMemcpyDeviceToDevice);
        from = other, to = x;
    }
    for (int s = 0; s < sweeps; ++s) {
        sweep<<<(n + 255) / 256, 256>>>(n, width, damping, column, value, diagonal, b, from, to);
        float* swap = from;
        from = to, to = swap;
    }
    cudaFree(other);
}
