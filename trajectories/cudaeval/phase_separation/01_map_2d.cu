// Phase separation: two launches a step, an atomic a point for the energy.
#include <cuda_runtime.h>

__device__ double laplacian(int n, const double* f, int i, int j) {
    const int up = (i + n - 1) % n, down = (i + 1) % n, left = (j + n - 1) % n, right = (j + 1) % n;
    return f[up * n + j] + f[down * n + j] + f[i * n + left] + f[i * n + right] - 4.0 * f[i * n + j];
}

__global__ void potential(int n, double gamma, const double* u, double* mu, double* energy) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= n || j >= n) return;
    const double v = u[i * n + j];
    atomicAdd(energy, 0.25 * (v * v - 1.0) * (v * v - 1.0));
    mu[i * n + j] = v * v * v - v - gamma * laplacian(n, u, i, j);
}

__global__ void update(int n, double dt, const double* mu, double* u) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i < n && j < n) u[i * n + j] += dt * laplacian(n, mu, i, j);
}

extern "C" void phase_separation(int n, int steps, double gamma, double dt, double* u, double* energy) {
    const dim3 grid((n + 31) / 32, (n + 7) / 8), block(32, 8);
    double* mu = nullptr;
    cudaMallocAsync(&mu, sizeof(double) * n * n, 0);
    cudaMemsetAsync(energy, 0, sizeof(double) * steps);
    for (int s = 0; s < steps; ++s) {
        potential<<<grid, block>>>(n, gamma, u, mu, energy + s);
        update<<<grid, block>>>(n, dt, mu, u);
    }
    cudaFreeAsync(mu, 0);
}
