// Scenario profit and loss, persistent blocks; the next two scenarios' moves arrive while the present two are revalued.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <algorithm>

constexpr int kThreads = 128;
constexpr int kBlocks = 1056;

__device__ void fetch(int pair, int factors, int scenarios, const double* shock, double2* moves) {
    const double* first = shock + (size_t)(2 * pair) * factors;
    const double* second = shock + (size_t)min(2 * pair + 1, scenarios - 1) * factors;
    for (int f = threadIdx.x; f < factors; f += kThreads) {
        __pipeline_memcpy_async(&moves[f].x, first + f, sizeof(double));
        __pipeline_memcpy_async(&moves[f].y, second + f, sizeof(double));
    }
}

__global__ void revalue(int positions, int factors, int scenarios, const int* factor, const double* delta,
                        const double* gamma, const double* shock, double* pnl) {
    extern __shared__ double2 buffers[];  // two of `factors`
    __shared__ double2 partial[kThreads];
    const int t = threadIdx.x, pairs = (scenarios + 1) / 2;
    fetch(blockIdx.x, factors, scenarios, shock, buffers);
    __pipeline_commit();
    int turn = 0;
    for (int pair = blockIdx.x; pair < pairs; pair += gridDim.x, turn ^= 1) {
        const int following = pair + gridDim.x;
        if (following < pairs) fetch(following, factors, scenarios, shock, buffers + (turn ^ 1) * factors);
        __pipeline_commit();  // an empty group when nothing follows
        __pipeline_wait_prior(1);
        __syncthreads();
        const double2* moves = buffers + turn * factors;
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
            __syncthreads();  // the last one also frees this pair's buffer
        }
        if (t != 0) continue;
        pnl[2 * pair] = partial[0].x;
        if (2 * pair + 1 < scenarios) pnl[2 * pair + 1] = partial[0].y;
    }
}

extern "C" void scenario_pnl(int positions, int factors, int scenarios, const int* factor, const double* delta,
                             const double* gamma, const double* shock, double* pnl) {
    const size_t bytes = 2 * factors * sizeof(double2);
    const int pairs = (scenarios + 1) / 2;
    cudaFuncSetAttribute(revalue, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    revalue<<<std::min(pairs, kBlocks), kThreads, bytes>>>(positions, factors, scenarios, factor, delta, gamma, shock,
                                                           pnl);
}
