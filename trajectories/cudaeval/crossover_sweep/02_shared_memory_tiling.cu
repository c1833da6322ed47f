// Moving-average sweep: a block works on one series, whose prices it keeps in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;

__global__ void sweep(int days, int fast, int slow, int fee, const int* price, int* profit, int* changes) {
    extern __shared__ int own[];
    for (int t = threadIdx.x; t < days; t += kThreads) own[t] = price[(size_t)blockIdx.y * days + t];
    __syncthreads();
    const int pair = blockIdx.x * kThreads + threadIdx.x;
    if (pair >= slow * fast) return;
    const int quick = 2 + pair % fast, broad = fast + 2 + 3 * (pair / fast);
    int64_t quick_sum = 0, broad_sum = 0;
    int earned = 0, changed = 0;
    bool held = false;
    for (int t = 0; t + 1 < days; ++t) {
        quick_sum += own[t];
        broad_sum += own[t];
        if (t >= quick) quick_sum -= own[t - quick];
        if (t >= broad) broad_sum -= own[t - broad];
        if (t < broad - 1) continue;
        const bool wanted = quick_sum * broad > broad_sum * quick;
        if (wanted != held) {
            ++changed;
            earned -= fee;
            held = wanted;
        }
        if (held) earned += own[t + 1] - own[t];
    }
    profit[(size_t)blockIdx.y * slow * fast + pair] = earned;
    changes[(size_t)blockIdx.y * slow * fast + pair] = changed;
}

extern "C" void crossover_sweep(int series, int days, int fast, int slow, int fee, const int* price, int* profit, int* changes) {
    const size_t bytes = days * sizeof(int);
    cudaFuncSetAttribute(sweep, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    sweep<<<dim3((slow * fast - 1) / kThreads + 1, series), kThreads, bytes>>>(days, fast, slow, fee, price, profit, changes);
}
