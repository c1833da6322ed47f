// Moving-average sweep: a window's sum is the difference of two prefix sums, made once by the block; 32 bits are enough.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

// sums[t]: the sum of the first t prices; sums has days + 1 entries.
__device__ void make_prefix_sums(int days, const int* price, int* sums) {
    __shared__ int warp_sum[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int base = 0;
    if (threadIdx.x == 0) sums[0] = 0;
    for (int first = 0; first < days; first += kThreads) {
        const int t = first + threadIdx.x;
        int value = t < days ? price[t] : 0;
        for (int step = 1; step < 32; step *= 2) {
            const int other = __shfl_up_sync(~0u, value, step);
            if (lane >= step) value += other;
        }
        if (lane == 31) warp_sum[warp] = value;
        __syncthreads();
        for (int w = 0; w < warp; ++w) value += warp_sum[w];
        if (t < days) sums[t + 1] = base + value;
        for (int w = 0; w < kThreads / 32; ++w) base += warp_sum[w];
        __syncthreads();
    }
}

__global__ void sweep(int days, int fast, int slow, int fee, const int* price, int* profit, int* changes) {
    extern __shared__ int sums[];  // of the prices of all days before
    make_prefix_sums(days, price + (size_t)blockIdx.y * days, sums);
    const int pair = blockIdx.x * kThreads + threadIdx.x;
    if (pair >= slow * fast) return;
    const int quick = 2 + pair % fast, broad = fast + 2 + 3 * (pair / fast);
    int earned = 0, changed = 0;
    bool held = false;
    int before = sums[broad - 1];
    for (int t = broad - 1; t + 1 < days; ++t) {
        const int now = sums[t + 1], last = now - before;
        // Sums are below 400 * 10000, windows at most 402: differences of the means fit.
        const bool wanted = (now - sums[t + 1 - quick]) * broad > (now - sums[t + 1 - broad]) * quick;
        changed += wanted != held;
        if (wanted != held) earned -= fee;
        if (wanted) earned += sums[t + 2] - now - last;
        held = wanted;
        before = now;
    }
    profit[(size_t)blockIdx.y * slow * fast + pair] = earned;
    changes[(size_t)blockIdx.y * slow * fast + pair] = changed;
}

extern "C" void crossover_sweep(int series, int days, int fast, int slow, int fee, const int* price, int* profit, int* changes) {
    const size_t bytes = (days + 1) * sizeof(int);
    cudaFuncSetAttribute(sweep, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    sweep<<<dim3((slow * fast - 1) / kThreads + 1, series), kThreads, bytes>>>(days, fast, slow, fee, price, profit, changes);
}
