// Electron density: a thread for each point.
#include <cuda_runtime.h>

__global__ void evaluate(int points, int basis, const double* phi, const double* matrix, double* density) {
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= points) return;
    const double* value = phi + (size_t)p * basis;
    double rho = 0.0;
    for (int m = 0; m < basis; ++m) {
        double inner = 0.0;
        for (int n = 0; n < basis; ++n) inner += matrix[(size_t)m * basis + n] * value[n];
        rho += value[m] * inner;
    }
    density[p] = rho;
}

extern "C" void electron_density(int points, int basis, const double* phi, const double* matrix, double* density) {
    evaluate<<<(points + 127) / 128, 128>>>(points, basis, phi, matrix, density);
}
