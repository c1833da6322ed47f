// Galerkin sweep: three launches a step, one point a thread.
#include <cuda_runtime.h>

__device__ double rate(int elements, int n, const double* d, double lift, const double* u, int e, int i) {
    double sum = 0.0;
    for (int j = 0; j < n; ++j) sum -= d[i * n + j] * u[(size_t)e * n + j];
    if (i == 0) sum += lift * (u[(size_t)((e + elements - 1) % elements) * n + n - 1] - u[(size_t)e * n]);
    return sum;
}

// out = (keep * own + share * (from + dt rate(from))) / whole
__global__ void stage(size_t size, int elements, int n, double dt, double lift, const double* d, double keep, double share, double whole,
                      const double* own, const double* from, double* out) {
    const size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= size) return;
    out[k] = (keep * own[k] + share * (from[k] + dt * rate(elements, n, d, lift, from, (int)(k / n), (int)(k % n)))) / whole;
}

extern "C" void galerkin_sweep(int elements, int n, int steps, double dt, double lift, const double* d, double* u) {
    const size_t size = (size_t)elements * n;
    const unsigned blocks = (unsigned)((size + 255) / 256);
    double *first = nullptr, *second = nullptr;
    cudaMallocAsync(&first, sizeof(double) * size, 0);
    cudaMallocAsync(&second, sizeof(double) * size, 0);
    for (int s = 0; s < steps; ++s) {
        stage<<<blocks, 256>>>(size, elements, n, dt, lift, d, 0.0, 1.0, 1.0, u, u, first);
        stage<<<blocks, 256>>>(size, elements, n, dt, lift, d, 3.0, 1.0, 4.0, u, first, second);
        stage<<<blocks, 256>>>(size, elements, n, dt, lift, d, 1.0, 2.0, 3.0, u, second, u);
    }
    cudaFreeAsync(first, 0);
    cudaFreeAsync(second, 0);
}
