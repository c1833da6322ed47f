// Scenario profit and loss, one thread per scenario.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__global__ void revalue(int positions, int factors, int scenarios, const int* factor, const double* delta,
                        const double* gamma, const double* shock, double* pnl) {
    const int s = blockIdx.x * kThreads + threadIdx.x;
    if (s >= scenarios) return;
    const double* moves = shock + (size_t)s * factors;
    double total = 0.0;
    for (int i = 0; i < positions; ++i) {
        const double m = moves[factor[i]];
        total += delta[i] * m + 0.5 * gamma[i] * m * m;
    }
    pnl[s] = total;
}

extern "C" void scenario_pnl(int positions, int factors, int scenarios, const int* factor, const double* delta,
                             const double* gamma, const double* shock, double* pnl) {
    revalue<<<(scenarios - 1) / kThreads + 1, kThreads>>>(positions, factors, scenarios, factor, delta, gamma, shock,
                                                          pnl);
}
