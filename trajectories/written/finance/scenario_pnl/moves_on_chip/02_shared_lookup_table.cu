// Scenario profit and loss, one block per scenario with its moves in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__global__ void revalue(int positions, int factors, const int* factor, const double* delta, const double* gamma,
                        const double* shock, double* pnl) {
    extern __shared__ double moves[];
    __shared__ double partial[kThreads];
    const int s = blockIdx.x, t = threadIdx.x;
    for (int f = t; f < factors; f += kThreads) moves[f] = shock[(size_t)s * factors + f];
    __syncthreads();
    double total = 0.0;
    for (int i = t; i < positions; i += kThreads) {
        const double m = moves[factor[i]];
        total += delta[i] * m + 0.5 * gamma[i] * m * m;
    }
    partial[t] = total;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (t < half) partial[t] += partial[t + half];
        __syncthreads();
    }
    if (t == 0) pnl[s] = partial[0];
}

extern "C" void scenario_pnl(int positions, int factors, int scenarios, const int* factor, const double* delta,
                             const double* gamma, const double* shock, double* pnl) {
    revalue<<<scenarios, kThreads, factors * sizeof(double)>>>(positions, factors, factor, delta, gamma, shock, pnl);
}
