// Electron density: eight points by two columns of products in the registers of each thread.
#include <cuda_runtime.h>

constexpr int kPoints = 32;
constexpr int kWarps = 4;
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
    for (int n = lane; n < basis; n += 64) {
        int other = n + 32 < basis ? n + 32 : n;  // a column that is there, counted only where it is another
        double inner[kEach][2] = {};
        for (int m = 0; m < basis; ++m) {
            double left = matrix[(size_t)m * basis + n], right = matrix[(size_t)m * basis + other];
#pragma unroll
            for (int j = 0; j < kEach; ++j) {
                double v = mine[j * basis + m];
                inner[j][0] += v * left;
                inner[j][1] += v * right;
            }
        }
#pragma unroll
        for (int j = 0; j < kEach; ++j) {
            rho[j] += inner[j][0] * mine[j * basis + n];
            if (other != n) rho[j] += inner[j][1] * mine[j * basis + other];
        }
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
