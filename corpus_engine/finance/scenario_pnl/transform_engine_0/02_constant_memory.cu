#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// scenario_pnl: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// constant_memory: small tables in constant memory.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__constant__ double delta_constant[1024];
__constant__ int factor_constant[2048];
__constant__ double gamma_constant[1024];

__global__ void scenario_pnl_1_map(int positions, int factors, int scenarios, const double* shock, double* pnl) {
    const int s = blockIdx.x * 256 + threadIdx.x;
    double total;
    if (s < scenarios) {
        total = 0.0;
        for (int i = 0; i < positions; ++i) {
            const double m = shock[(unsigned long long)s * factors + factor_constant[i]];
            total += delta_constant[i] * m + 0.5 * gamma_constant[i] * m * m;
        }
        pnl[s] = total;
    }
}

__global__ void scenario_pnl_2_map(int positions, int factors, int scenarios, const int* factor, const double* delta,
                                   const double* gamma, const double* shock, double* pnl) {
    const int s = blockIdx.x * 256 + threadIdx.x;
    double total;
    if (s < scenarios) {
        total = 0.0;
        for (int i = 0; i < positions; ++i) {
            const double m = shock[(unsigned long long)s * factors + factor[i]];
            total += delta[i] * m + 0.5 * gamma[i] * m * m;
        }
        pnl[s] = total;
    }
}

extern "C" void scenario_pnl(int positions, int factors, int scenarios, const int* factor, const double* delta,
                             const double* gamma, const double* shock, double* pnl) {
    if (positions <= 1024 && positions <= 2048 && positions <= 1024) {
        cudaMemcpyToSymbolAsync(delta_constant, delta, positions * sizeof(double), 0, cudaMemcpyDeviceToDevice);
        cudaMemcpyToSymbolAsync(factor_constant, factor, positions * sizeof(int), 0, cudaMemcpyDeviceToDevice);
        cudaMemcpyToSymbolAsync(gamma_constant, gamma, positions * sizeof(double), 0, cudaMemcpyDeviceToDevice);
        if (scenarios >= 1) {
            scenario_pnl_1_map<<<(scenarios - 1) / 256 + 1, 256>>>(positions, factors, scenarios, shock, pnl);
        }
    } else {
        if (scenarios >= 1) {
            scenario_pnl_2_map<<<(scenarios - 1) / 256 + 1, 256>>>(positions, factors, scenarios, factor, delta, gamma,
                                                                   shock, pnl);
        }
    }
}