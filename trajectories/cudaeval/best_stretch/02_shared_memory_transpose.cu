// Stretches: a warp's 32 traders are read 32 days at a time along the rows and walked across them.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void find(int traders, int days, const int* __restrict__ profit, int64_t* best, int* first, int* last) {
    __shared__ int tile[4][32][33];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, base = (blockIdx.x * 4 + warp) * 32, t = base + lane;
    long long run = -1, most = -(1ll << 62);
    int begin = 0, from = 0, to = 0;
    for (int part = 0; part < days; part += 32) {
        for (int r = 0; r < 32; ++r)
            if (base + r < traders && part + lane < days) tile[warp][r][lane] = profit[(size_t)(base + r) * days + part + lane];
        __syncwarp();
        for (int k = 0; k < min(32, days - part) && t < traders; ++k) {
            const int own = tile[warp][lane][k];
            if (run > 0) run += own;
            else run = own, begin = part + k;
            if (run > most) most = run, from = begin, to = part + k;
        }
        __syncwarp();
    }
    if (t >= traders) return;
    best[t] = most;
    first[t] = from;
    last[t] = to;
}

extern "C" void best_stretch(int traders, int days, const int32_t* profit, int64_t* best, int32_t* first, int32_t* last) {
    find<<<(traders + 127) / 128, 128>>>(traders, days, profit, best, first, last);
}
