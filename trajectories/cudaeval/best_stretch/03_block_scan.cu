// Stretches: a warp takes a trader: sums up to each day, the least sum before it (the last of equals) by scans, and the best difference.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void find(int traders, int days, const int* __restrict__ profit, int64_t* best, int* first, int* last) {
    const int t = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (t >= traders) return;
    const int* row = profit + (size_t)t * days;
    long long before = 0, low_before = 0, most = -(1ll << 62);
    int low_at = 0, from = 0, to = 0;
    for (int part = 0; part < days; part += 32) {
        const int d = part + lane;
        const int own = d < days ? row[d] : 0;
        long long sum = own;
        for (int apart = 1; apart < 32; apart *= 2) {
            const long long left = __shfl_up_sync(0xffffffffu, sum, apart);
            if (lane >= apart) sum += left;
        }
        sum += before;
        long long low = sum - own;  // the sum before day d; the least one up to here, the last among equals
        int at = d;
        if (lane == 0 && low_before < low) low = low_before, at = low_at;
        for (int apart = 1; apart < 32; apart *= 2) {
            const long long left = __shfl_up_sync(0xffffffffu, low, apart);
            const int where = __shfl_up_sync(0xffffffffu, at, apart);
            if (lane >= apart && left < low) low = left, at = where;
        }
        long long value = d < days ? sum - low : -(1ll << 62);
        int begin = at, end = d;
        for (int apart = 16; apart > 0; apart /= 2) {
            const long long other = __shfl_xor_sync(0xffffffffu, value, apart);
            const int b = __shfl_xor_sync(0xffffffffu, begin, apart), e = __shfl_xor_sync(0xffffffffu, end, apart);
            if (other > value || (other == value && e < end)) value = other, begin = b, end = e;
        }
        if (value > most) most = value, from = begin, to = end;
        before = __shfl_sync(0xffffffffu, sum, 31);
        low_before = __shfl_sync(0xffffffffu, low, 31);
        low_at = __shfl_sync(0xffffffffu, at, 31);
    }
    if (lane) return;
    best[t] = most;
    first[t] = from;
    last[t] = to;
}

extern "C" void best_stretch(int traders, int days, const int32_t* profit, int64_t* best, int32_t* first, int32_t* last) {
    find<<<(traders + 3) / 4, 128>>>(traders, days, profit, best, first, last);
}
