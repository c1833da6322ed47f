// Electron density: 32 points of a block in shared memory, lanes on the columns of the matrix.
#include <cuda_runtime.h>

constexpr int kPoints = 32;
constexpr int kWarps = 8;
constexpr int kEach = kPoints / kWarps;  // points of a warp

__global__ void __launch_bounds__(32 * kWarps) evaluate(int points, int basis, const double* phi, const double* matrix, double* density) {
    extern __shared__ double value[];  // kPoints rows of `basis`
    int first = blockIdx.x * kPoints, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int i = threadIdx.x; i < kPoints * basis; i += 32 * kWarps) {
        value[i] = first + i / basis < points ? phi[(size_t)first * basis + i] : 0.0;
    }
    __syncthreads();

    const double* mine = value + warp * kEach * basis;
    double rho[kEach] = {};
    for (int n = lane; n < basis; n += 32) {
        double inner[kEach] = {};
        for (int m = 0; m < basis; ++m) {
            double entry = matrix[(size_t)m * basis + n];
#pragma unroll
            for (int j = 0; j < kEach; ++j) inner[j] += mine[j * basis + m] * entry;
        }
#pragma unroll
        for (int j = 0; j < kEach; ++j) rho[j] += inner[j] * mine[j * basis + n];
    }
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
        for (int offset = 16; offset > 0; offset /= 2) rho[j] += __shfl_xor_sync(0xffffffffu, rho[j], offset);
        int p = first + warp * kEach + j;
        if (lane == 0 && p < points) density[p] = rho[j];
    }
}

extern "C" void electron_density(int points, int basis, const double* phi, const double* matrix, double* density) {
    int bytes = kPoints * basis * (int)sizeof(double);
    cudaFuncSetAttribute(evaluate, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    evaluate<<<(points + kPoints - 1) / kPoints, 32 * kWarps, bytes>>>(points, basis, phi, matrix, density);
}
