// Scenario profit and loss, one warp per scenario.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__global__ void revalue(int positions, int factors, int scenarios, const int* factor, const double* delta,
                        const double* gamma, const double* shock, double* pnl) {
    const int s = blockIdx.x * (kThreads / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (s >= scenarios) return;  // the whole warp leaves together
    const double* moves = shock + (size_t)s * factors;
    double total = 0.0;
    for (int i = lane; i < positions; i += 32) {
        const double m = moves[factor[i]];
        total += delta[i] * m + 0.5 * gamma[i] * m * m;
    }
    for (int distance = 16; distance > 0; distance /= 2) total += __shfl_xor_sync(0xffffffffu, total, distance);
    if (lane == 0) pnl[s] = total;
}

extern "C" void scenario_pnl(int positions, int factors, int scenarios, const int* factor, const double* delta,
                             const double* gamma, const double* shock, double* pnl) {
    const int scenarios_per_block = kThreads / 32;
    revalue<<<(scenarios - 1) / scenarios_per_block + 1, kThreads>>>(positions, factors, scenarios, factor, delta,
                                                                     gamma, shock, pnl);
}
