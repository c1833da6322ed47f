// Scenario profit and loss, two scenarios per block with their moves side by side in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__global__ void revalue(int positions, int factors, int scenarios, const int* factor, const double* delta,
                        const double* gamma, const double* shock, double* pnl) {
    extern __shared__ double2 moves[];
    __shared__ double2 partial[kThreads];
    const int s = 2 * blockIdx.x, second = min(s + 1, scenarios - 1), t = threadIdx.x;
    for (int f = t; f < factors; f += kThreads)
        moves[f] = {shock[(size_t)s * factors + f], shock[(size_t)second * factors + f]};
    __syncthreads();
    double2 total = {0.0, 0.0};
    for (int i = t; i < positions; i += kThreads) {
        const double2 m = moves[factor[i]];
        const double d = delta[i], half_gamma = 0.5 * gamma[i];
        total.x += (d + half_gamma * m.x) * m.x;
        total.y += (d + half_gamma * m.y) * m.y;
    }
    partial[t] = total;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (t < half) partial[t] = {partial[t].x + partial[t + half].x, partial[t].y + partial[t + half].y};
        __syncthreads();
    }
    if (t != 0) return;
    pnl[s] = partial[0].x;
    if (s + 1 < scenarios) pnl[s + 1] = partial[0].y;
}

extern "C" void scenario_pnl(int positions, int factors, int scenarios, const int* factor, const double* delta,
                             const double* gamma, const double* shock, double* pnl) {
    const size_t bytes = factors * sizeof(double2);
    cudaFuncSetAttribute(revalue, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    revalue<<<(scenarios - 1) / 2 + 1, kThreads, bytes>>>(positions, factors, scenarios, factor, delta, gamma, shock,
                                                          pnl);
}
