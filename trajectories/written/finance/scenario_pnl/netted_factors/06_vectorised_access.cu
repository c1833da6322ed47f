// Scenario profit and loss; netted sensitivities, four scenarios per warp, 16-byte loads for even numbers of
// factors.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;
constexpr int kRows = 4;  // scenarios per warp

__global__ void net(int positions, int factors, const int* factor, const double* delta, const double* gamma,
                    double* net_delta, double* net_gamma) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= positions) return;
    atomicAdd(net_delta + factor[i], delta[i]);
    atomicAdd(net_gamma + factor[i], 0.5 * gamma[i]);
}

template <int kWide>
struct Load;

template <>
struct Load<1> {
    double value[1];
    __device__ Load(const double* from, int at) : value{from[at]} {}
};

template <>
struct Load<2> {
    double value[2];
    __device__ Load(const double* from, int at) {
        const double2 both = reinterpret_cast<const double2*>(from)[at];
        value[0] = both.x;
        value[1] = both.y;
    }
};

template <int kWide>
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
    for (int at = lane; at < factors / kWide; at += 32) {
        const Load<kWide> gamma(net_gamma, at), delta(net_delta, at);
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            const Load<kWide> m(moves[r], at);
#pragma unroll
            for (int k = 0; k < kWide; ++k)
                total[r] = fma(fma(gamma.value[k], m.value[k], delta.value[k]), m.value[k], total[r]);
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
    const int scenarios_per_block = kThreads / 32 * kRows, blocks = (scenarios - 1) / scenarios_per_block + 1;
    double* netted = nullptr;
    cudaMalloc(&netted, 2 * factors * sizeof(double));
    cudaMemsetAsync(netted, 0, 2 * factors * sizeof(double));
    double* halves = netted + factors;
    net<<<(positions - 1) / kThreads + 1, kThreads>>>(positions, factors, factor, delta, gamma, netted, halves);
    if (factors % 2 == 0 && reinterpret_cast<uintptr_t>(shock) % sizeof(double2) == 0)
        revalue<2><<<blocks, kThreads>>>(factors, scenarios, netted, halves, shock, pnl);
    else
        revalue<1><<<blocks, kThreads>>>(factors, scenarios, netted, halves, shock, pnl);
    cudaFree(netted);
}
