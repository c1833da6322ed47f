// Moving-average sweep: one pair of windows of one series a thread.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;

__global__ void sweep(int series, int days, int fast, int slow, int fee, const int* price, int* profit, int* changes) {
    const int at = blockIdx.x * kThreads + threadIdx.x;
    if (at >= series * slow * fast) return;
    const int quick = 2 + at % fast, broad = fast + 2 + 3 * (at / fast % slow);
    const int* own = price + (size_t)(at / fast / slow) * days;
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
    profit[at] = earned;
    changes[at] = changed;
}

extern "C" void crossover_sweep(int series, int days, int fast, int slow, int fee, const int* price, int* profit, int* changes) {
    sweep<<<(series * slow * fast - 1) / kThreads + 1, kThreads>>>(series, days, fast, slow, fee, price, profit, changes);
}
