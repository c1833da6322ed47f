// Smoothing with gaps: one series a warp, whose lanes scan what their steps do to the level.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;

// A warp a series, 32 steps at a time. What a step does to the level is `keep * level + add`; so is what several do.
__global__ void smooth(int series, int n, float alpha, const float* value, const uint8_t* present, const float* begin, float* level) {
    const int s = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (s >= series) return;
    float before = begin[s];
    for (int first = 0; first < n; first += 32) {
        const long long i = (long long)s * n + first + lane;
        const bool moves = first + lane < n && present[i];
        float keep = moves ? 1 - alpha : 1, add = moves ? alpha * value[i] : 0;
        for (int reach = 1; reach < 32; reach *= 2) {
            const float earlier_keep = __shfl_up_sync(kAll, keep, reach), earlier_add = __shfl_up_sync(kAll, add, reach);
            if (lane < reach) continue;
            add += keep * earlier_add;
            keep *= earlier_keep;
        }
        const float now = keep * before + add;
        if (first + lane < n) level[i] = now;
        before = __shfl_sync(kAll, now, 31);
    }
}

extern "C" void gap_smoothing(int series, int n, float alpha, const float* value, const uint8_t* present, const float* begin,
                              float* level) {
    smooth<<<(series + 7) / 8, 256>>>(series, n, alpha, value, present, begin, level);
}
