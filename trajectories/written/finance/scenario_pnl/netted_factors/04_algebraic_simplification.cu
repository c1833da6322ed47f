// Scenario profit and loss; netted sensitivities with gamma halved, two fused multiply-adds per term.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__global__ void net(int positions, int factors, const int* factor, const double* delta, const double* gamma,
                    double* net_delta, double* net_gamma) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= positions) return;
    atomicAdd(net_delta + factor[i], delta[i]);
    atomicAdd(net_gamma + factor[i], 0.5 * gamma[i]);
}

__global__ void revalue(int factors, int scenarios, const double* net_delta, const double* net_gamma,
                        const double* shock, double* pnl) {
    const int s = blockIdx.x * (kThreads / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (s >= scenarios) return;  // the whole warp leaves together
    const double* moves = shock + (size_t)s * factors;
    double total = 0.0;
    for (int f = lane; f < factors; f += 32) {
        const double m = moves[f];
        total = fma(fma(net_gamma[f], m, net_delta[f]), m, total);
    }
    for (int distance = 16; distance > 0; distance /= 2) total += __shfl_xor_sync(0xffffffffu, total, distance);
    if (lane == 0) pnl[s] = total;
}

extern "C" void scenario_pnl(int positions, int factors, int scenarios, const int* factor, const double* delta,
                             const double* gamma, const double* shock, double* pnl) {
    const int scenarios_per_block = kThreads / 32;
    double* netted = nullptr;
    cudaMalloc(&netted, 2 * factors * sizeof(double));
    cudaMemsetAsync(netted, 0, 2 * factors * sizeof(double));
    net<<<(positions - 1) / kThreads + 1, kThreads>>>(positions, factors, factor, delta, gamma, netted,
                                                      netted + factors);
    revalue<<<(scenarios - 1) / scenarios_per_block + 1, kThreads>>>(factors, scenarios, netted, netted + factors,
                                                                     shock, pnl);
    cudaFree(netted);
}
