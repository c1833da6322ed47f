#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// scenario_pnl: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void scenario_pnl_1_map(int positions, int factors, int scenarios, const int* factor, const double* delta,
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
    if (scenarios >= 1) {
        scenario_pnl_1_map<<<(scenarios - 1) / 256 + 1, 256>>>(positions, factors, scenarios, factor, delta, gamma,
                                                               shock, pnl);
    }
}