// Stretches: one trader a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void find(int traders, int days, const int* profit, int64_t* best, int* first, int* last) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= traders) return;
    const int* row = profit + (size_t)t * days;
    long long run = row[0], most = run;
    int begin = 0, from = 0, to = 0;
    for (int d = 1; d < days; ++d) {
        if (run > 0) run += row[d];
        else run = row[d], begin = d;
        if (run > most) most = run, from = begin, to = d;
    }
    best[t] = most;
    first[t] = from;
    last[t] = to;
}

extern "C" void best_stretch(int traders, int days, const int32_t* profit, int64_t* best, int32_t* first, int32_t* last) {
    find<<<(traders + 63) / 64, 64>>>(traders, days, profit, best, first, last);
}
