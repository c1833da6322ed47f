// Scenario profit and loss; netted sensitivities, four scenarios per warp.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kRows = 4;  // scenarios per warp

__global__ void net(int positions, int factors, const int* factor, const double* delta, const double* gamma,
                    double* net_delta, double* net_gamma) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= positions) return;
    atomicAdd(net_delta + factor[i], delta[i]);
    atomicAdd(net_gamma + factor[i], 0.5 * gamma[i]);
}

__global__ void revalue(int factors, int scenarios, const double* net_delta, const double* net_gamma,
                        const double* shock, double* pnl) {
    const int first = (blockIdx.x * (kThreads / 32) + threadIdx.x / 32) * kRows, lane = threadIdx.x % 32;
    if (first >= scenarios) return;  // the whole warp leaves together
    const double* moves[kRows];
    double total[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        moves[r] = shock + (size_t)min(first + r, scenarios - 1) * factors;
        total[r] = 0.0;
    }
    for (int f = lane; f < factors; f += 32) {
        const double gamma = net_gamma[f], delta = net_delta[f];
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            const double m = moves[r][f];
            total[r] = fma(fma(gamma, m, delta), m, total[r]);
        }
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        for (int distance = 16; distance > 0; distance /= 2)
            total[r] += __shfl_xor_sync(0xffffffffu, total[r], distance);
        if (lane == 0 && first + r < scenarios) pnl[first + r] = total[r];
    }
}

extern "C" void scenario_pnl(int positions, int factors, int scenarios, const int* factor, const double* delta,
                             const double* gamma, const double* shock, double* pnl) {
    const int scenarios_per_block = kThreads / 32 * kRows;
    double* netted = nullptr;
    cudaMalloc(&netted, 2 * factors * sizeof(double));
    cudaMemsetAsync(netted, 0, 2 * factors * sizeof(double));
    net<<<(positions - 1) / kThreads + 1, kThreads>>>(positions, factors, factor, delta, gamma, netted,
                                                      netted + factors);
    revalue<<<(scenarios - 1) / scenarios_per_block + 1, kThreads>>>(factors, scenarios, netted, netted + factors,
                                                                     shock, pnl);
    cudaFree(netted);
}
