// Moving-average sweep: a thread has four fast windows to one slow one, whose sum it finds once, as the price changes.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kEach = 4;  // fast windows of a thread

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
    const int groups = (fast - 1) / kEach + 1, own = blockIdx.x * kThreads + threadIdx.x;
    const int s = own / groups, f = own % groups;
    if (s >= slow) return;
    const int broad = fast + 2 + 3 * s;
    int earned[kEach] = {}, changed[kEach] = {};
    bool held[kEach] = {};
    int before = sums[broad - 1], now = sums[broad];
    for (int t = broad - 1; t + 1 < days; ++t) {
        const int next = sums[t + 2], rise = next - now - (now - before);
        const int broad_sum = now - sums[t + 1 - broad];
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
            // Windows of a thread are `groups` apart, so that its neighbours' are next to its own.
            const int quick = min(2 + f + k * groups, broad);
            const bool wanted = (now - sums[t + 1 - quick]) * broad > broad_sum * quick;
            changed[k] += wanted != held[k];
            if (wanted) earned[k] += rise;
            held[k] = wanted;
        }
        before = now;
        now = next;
    }
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        if (f + k * groups >= fast) continue;
        const size_t at = ((size_t)blockIdx.y * slow + s) * fast + f + k * groups;
        profit[at] = earned[k] - fee * changed[k];
        changes[at] = changed[k];
    }
}

extern "C" void crossover_sweep(int series, int days, int fast, int slow, int fee, const int* price, int* profit, int* changes) {
    const size_t bytes = (days + 1) * sizeof(int);
    cudaFuncSetAttribute(sweep, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    const int threads = slow * ((fast - 1) / kEach + 1);
    sweep<<<dim3((threads - 1) / kThreads + 1, series), kThreads, bytes>>>(days, fast, slow, fee, price, profit, changes);
}
